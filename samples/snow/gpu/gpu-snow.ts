// The snow simulator on the GPU: records the passes of its steps.
/// <reference types="@webgpu/types" />
import type { GpuSorter, SortPasses } from '../../../src/sort-on-gpu.js';
import { planesBytes } from '../picture/draw-picture.js';
import { ENTRIES_PER_FLAKE } from '../picture/tile-entries.js';
import type { SnowScene } from '../scene.js';
import { weatherOf } from '../wind/prevailing-wind.js';
import { BLOCK_THREADS, ROW_THREADS } from './layouts.js';
import { createBuffers, destroyBuffers, type SnowBuffers, USAGE } from './snow-buffers.js';
import { type BoundPass, SnowProgram } from './snow-program.js';
import { type Stage, StageClock } from './stage-clock.js';

/** Workgroups along x, y and z. */
type Groups = readonly [number, number?, number?];
type Work = readonly [BoundPass, Groups];

/** The passes of every other step; see {@link SnowBuffers}. */
type StepPasses = Readonly<Record<'settle' | 'advect' | 'diverge' | 'project' | 'move', BoundPass>>;

/**
 * A film of snow, step by step, on the device of a sorter. What comes of it is that of ReadableSnow, apart from the
 * rounding of floating-point numbers; the same device gives the same bits each time.
 */
export class GpuSnow {
  readonly clock: StageClock;
  readonly #steps: readonly [StepPasses, StepPasses];
  readonly #floors: BoundPass;
  readonly #sweeps: readonly BoundPass[];
  readonly #keys: BoundPass;
  readonly #draws = new Map<GPUBuffer, BoundPass>();
  readonly #sort: SortPasses;
  #step = 0;

  private constructor(
    readonly program: SnowProgram,
    readonly scene: SnowScene,
    readonly buffers: SnowBuffers,
    sorter: GpuSorter,
  ) {
    this.clock = new StageClock(program.device);
    const { terrain, landed, heights, floors, weather, divergence, pressure, flakes, keys, numbers } = buffers;
    const bindStep = (from: 0 | 1): StepPasses => {
      const [snow, nextSnow] = [buffers.snow[from], buffers.snow[1 - from]!];
      const [wind, nextWind] = [buffers.wind[from], buffers.wind[1 - from]!];
      return {
        settle: program.bind('settle', { terrain, snow, landed, next_snow: nextSnow, heights }),
        advect: program.bind('advect', { weather, wind, floors, next_wind: nextWind }),
        diverge: program.bind('diverge', { wind: nextWind, floors, divergence }),
        project: program.bind('project', { wind: nextWind, floors, pressure }),
        move: program.bind('move', { flakes, wind: nextWind, heights, landed }),
      };
    };
    this.#steps = [bindStep(0), bindStep(1)];
    this.#floors = program.bind('floors', { heights, floors });
    this.#sweeps = buffers.sweeps.map(sweep => program.bind('relax', { sweep, floors, divergence, pressure }));
    this.#keys = program.bind('key', { flakes, keys, numbers });
    this.#sort = sorter.createPasses({ keys, values: numbers, length: ENTRIES_PER_FLAKE * scene.flakes });
  }

  /** Compiles the passes and fills the buffers. Rejects with the compiler's message, and where memory is short. */
  static async create(scene: SnowScene, sorter: GpuSorter): Promise<GpuSnow> {
    const program = await SnowProgram.compile(sorter.device, scene);
    const { device } = program;
    for (const kind of ['validation', 'out-of-memory'] as const) device.pushErrorScope(kind);
    const snow = new GpuSnow(program, scene, createBuffers(device, scene), sorter);
    for (const error of await Promise.all([device.popErrorScope(), device.popErrorScope()])) {
      if (error) throw new Error(`this GPU cannot hold the film: ${error.message.split('\n')[0]}`);
    }
    return snow;
  }

  get device(): GPUDevice {
    return this.program.device;
  }

  /** The wind after the last step, on the GPU. */
  get wind(): GPUBuffer {
    return this.buffers.wind[this.#step % 2]!;
  }

  /** The snow after the last step, on the GPU. */
  get snow(): GPUBuffer {
    return this.buffers.snow[this.#step % 2]!;
  }

  /** A buffer that takes the planes of a picture: Y, U and V of the coded size, bytes without gaps. */
  createPlanes(): GPUBuffer {
    const usage = USAGE.storage | USAGE.copySource;
    return this.device.createBuffer({ label: 'Snow.planes', size: planesBytes(this.scene), usage });
  }

  /** Records a step. One step a submission. */
  recordStep(encoder: GPUCommandEncoder): void {
    const { scene, buffers } = this;
    const { windX, windZ, gust, crossGust } = weatherOf(scene, this.#step);
    this.device.queue.writeBuffer(buffers.weather, 0, new Float32Array([windX, windZ, gust, crossGust]));
    const { settle, advect, diverge, project, move } = this.#steps[this.#step % 2]!;
    const cells = groupsOfCells(scene.gridX, scene);
    const half = groupsOfCells(scene.gridX / 2, scene);
    this.#stage(encoder, 'ground', [
      [settle, groupsOf(scene.columnsX * scene.columnsZ)],
      [this.#floors, groupsOf(scene.gridX * scene.gridZ)],
    ]);
    const sweeps = this.#sweeps.map((sweep): Work => [sweep, half]);
    this.#stage(encoder, 'wind', [[advect, cells], [diverge, cells], ...sweeps, [project, cells]]);
    encoder.clearBuffer(buffers.landed);
    this.#stage(encoder, 'flakes', [[move, groupsOf(scene.flakes)]]);
    this.#step++;
  }

  /** Records the picture of this moment, into a buffer of `createPlanes`. */
  recordPicture(encoder: GPUCommandEncoder, planes: GPUBuffer): void {
    const { scene } = this;
    this.#stage(encoder, 'keys', [[this.#keys, groupsOf(scene.flakes)]]);
    const sort = encoder.beginComputePass(this.clock.pass('sort'));
    this.#sort.record(sort);
    sort.end();
    this.#stage(encoder, 'draw', [[this.#drawPass(planes), [scene.tilesX, scene.tilesY]]]);
  }

  #drawPass(planes: GPUBuffer): BoundPass {
    const known = this.#draws.get(planes);
    if (known) return known;
    const { palette, flakes, keys, numbers, heights, terrain } = this.buffers;
    const made = this.program.bind('draw', { palette, flakes, keys, numbers, heights, terrain, planes });
    this.#draws.set(planes, made);
    return made;
  }

  #stage(encoder: GPUCommandEncoder, stage: Stage, work: readonly Work[]): void {
    const pass = encoder.beginComputePass(this.clock.pass(stage));
    for (const [{ pipeline, bindings }, groups] of work) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(...groups);
    }
    pass.end();
  }

  /** Frees the buffers; the device stays open. */
  destroy(): void {
    this.#sort.destroy();
    this.clock.destroy();
    destroyBuffers(this.buffers);
  }
}

function groupsOf(items: number): Groups {
  return [Math.ceil(items / ROW_THREADS)];
}

function groupsOfCells(x: number, { gridY, gridZ }: SnowScene): Groups {
  const [threadsX, threadsY, threadsZ] = BLOCK_THREADS;
  return [Math.ceil(x / threadsX), Math.ceil(gridY / threadsY), Math.ceil(gridZ / threadsZ)];
}
