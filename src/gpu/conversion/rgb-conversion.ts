// Converts pictures of a page to frames on the GPU.
/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';
import { chromaLength, type Frame } from '../../picture/frame.js';
import { BUFFER_USAGE, createFilledBuffer, MAP_MODE } from '../device/buffers.js';
import { type DeviceOptions, type GpuDevice, openDevice } from '../device/device.js';
import { createPipeline } from '../device/pipelines.js';
import { structWords } from '../layouts.js';
import { RGB_TO_FRAME } from './conversion-layouts.js';
import { SHADER_SOURCES } from './shader-sources.js';

/** GPUTextureUsage of the WebGPU specification: what `copyExternalImageToTexture` needs, and reading it. */
const TEXTURE_USAGE = { copyTarget: 0x2, binding: 0x4, renderTarget: 0x10 } as const;

/** A picture whose pels are RGB, and its size in pels. */
export interface RgbPicture {
  readonly source: ImageBitmap | HTMLCanvasElement | OffscreenCanvas;
  readonly width: number;
  readonly height: number;
}

/** How pictures are converted. */
export interface RgbConversionOptions extends Pick<DeviceOptions, 'allowSoftware'> {
  /** The numbers of `rgbToFrame`, by their names in the shader. */
  readonly matrix: Readonly<Record<string, number>>;
  /** What is seen behind pels that are not opaque: R, G, B in the low three bytes. */
  readonly background: number;
}

/** What pictures of one size need on the GPU. */
interface SizedResources {
  readonly width: number;
  readonly height: number;
  readonly texture: GPUTexture;
  readonly planes: GPUBuffer;
  readonly parameters: GPUBuffer;
  readonly binding: GPUBindGroup;
  /** Buffers that planes are read from, not in use. */
  readonly idle: GPUBuffer[];
}

/**
 * Converts pictures to frames on the GPU: 4:2:0, BT.601, limited range. A picture gives the bytes that `rgbToFrame`
 * makes of the same RGB. It keeps its texture and its buffers from one to the next.
 */
export class RgbConversion {
  #resources: SizedResources | undefined;

  private constructor(
    private readonly gpu: GpuDevice,
    private readonly pipeline: GPUComputePipeline,
    private readonly background: number,
  ) {}

  /** Rejects with `UnsupportedError` where there is no GPU for it. */
  static async open({ matrix, background, allowSoftware }: RgbConversionOptions): Promise<RgbConversion> {
    const gpu = await openDevice({ allowSoftware });
    try {
      return new RgbConversion(gpu, await createPipeline(gpu.device, RGB_TO_FRAME, matrix, SHADER_SOURCES), background);
    } catch (error) {
      await gpu.close();
      throw error;
    }
  }

  /**
   * The frame of a picture. The picture is copied before `convert` returns. Rejects when the device is lost, and with
   * the browser's SecurityError for a picture from another origin.
   */
  async convert(picture: RgbPicture): Promise<Frame> {
    const { device } = this.gpu;
    const { width, height } = picture;
    const resources = this.#resourcesFor(width, height);
    const { planes, idle } = resources;
    const result = idle.pop() ?? resultBuffer(device, planes.size);
    device.pushErrorScope('validation');
    let fault: Promise<GPUError | null>;
    try {
      this.#submit(picture, resources, result);
    } finally {
      fault = device.popErrorScope();
      fault.catch(() => {}); // a device that is lost: mapping rejects, too
    }
    const [error] = await Promise.all([fault, result.mapAsync(MAP_MODE.read)]);
    if (error) throw new UnsupportedError(error.message);
    const frame = frameOf(result.getMappedRange().slice(0), width, height);
    result.unmap();
    if (resources === this.#resources) idle.push(result);
    else result.destroy();
    return frame;
  }

  #submit({ source, width, height }: RgbPicture, resources: SizedResources, result: GPUBuffer): void {
    const { device } = this.gpu;
    const { texture, planes, binding } = resources;
    const target = { texture, colorSpace: 'srgb', premultipliedAlpha: true } as const;
    device.queue.copyExternalImageToTexture({ source }, target, [width, height]);
    const encoder = device.createCommandEncoder({ label: 'RgbConversion' });
    const pass = encoder.beginComputePass({ label: RGB_TO_FRAME.entryPoint });
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, binding);
    const { GROUP_WORDS, ROW_WORDS } = RGB_TO_FRAME.constants;
    pass.dispatchWorkgroups(ROW_WORDS / GROUP_WORDS, Math.ceil(planeWords(width, height).luma / ROW_WORDS));
    pass.end();
    encoder.copyBufferToBuffer(planes, 0, result, 0, planes.size);
    device.queue.submit([encoder.finish()]);
  }

  /** Frees the device. What is under way rejects. */
  async close(): Promise<void> {
    await this.gpu.close();
  }

  #resourcesFor(width: number, height: number): SizedResources {
    const known = this.#resources;
    if (known?.width === width && known.height === height) return known;
    if (known) for (const part of [known.texture, known.planes, known.parameters, ...known.idle]) part.destroy();
    this.#resources = this.#createResources(width, height);
    return this.#resources;
  }

  #createResources(width: number, height: number): SizedResources {
    const { device } = this.gpu;
    const { background } = this;
    const usage = TEXTURE_USAGE.copyTarget | TEXTURE_USAGE.binding | TEXTURE_USAGE.renderTarget;
    const size = [width, height];
    const texture = device.createTexture({ label: 'RgbConversion.picture', size, format: 'rgba8unorm', usage });
    const words = structWords(RGB_TO_FRAME, { width, height, background });
    const parameters = createFilledBuffer(device, 'RgbConversion.parameters', BUFFER_USAGE.uniform, words);
    const { luma, chroma } = planeWords(width, height);
    const planes = device.createBuffer({
      label: 'RgbConversion.planes',
      size: 4 * (luma + 2 * chroma),
      usage: BUFFER_USAGE.storage | BUFFER_USAGE.copySource,
    });
    const resources = [{ buffer: parameters }, texture.createView(), { buffer: planes }];
    const binding = device.createBindGroup({
      label: 'RgbConversion',
      layout: this.pipeline.getBindGroupLayout(0),
      entries: resources.map((resource, index) => ({ binding: index, resource })),
    });
    return { width, height, texture, planes, parameters, binding, idle: [] };
  }
}

function resultBuffer(device: GPUDevice, size: number): GPUBuffer {
  const usage = BUFFER_USAGE.mapRead | BUFFER_USAGE.copyTarget;
  return device.createBuffer({ label: 'RgbConversion.result', size, usage });
}

/** Words of the planes: each starts at a whole one. */
function planeWords(width: number, height: number): { readonly luma: number; readonly chroma: number } {
  return {
    luma: Math.ceil((width * height) / 4),
    chroma: Math.ceil((chromaLength(width) * chromaLength(height)) / 4),
  };
}

function frameOf(planes: ArrayBuffer, width: number, height: number): Frame {
  const { luma, chroma } = planeWords(width, height);
  const chromaBytes = chromaLength(width) * chromaLength(height);
  const y = new Uint8Array(planes, 0, width * height);
  const u = new Uint8Array(planes, 4 * luma, chromaBytes);
  const v = new Uint8Array(planes, 4 * (luma + chroma), chromaBytes);
  return { width, height, y, u, v };
}
