// The memory of a film on the GPU.
/// <reference types="@webgpu/types" />
import { startFlakes } from '../flakes.js';
import { floorsOf, settleSnow } from '../ground.js';
import { PALETTE } from '../picture/colours.js';
import { ENTRIES_PER_FLAKE } from '../picture/tile-entries.js';
import type { SnowScene } from '../scene.js';
import { makeTerrain } from '../terrain.js';
import { cellCount } from '../wind/air.js';
import { relaxationFactors } from '../wind/pressure.js';
import { startWind } from '../wind/prevailing-wind.js';

/** GPUBufferUsage of the WebGPU specification, for which Node has no globals. */
export const USAGE = {
  mapRead: 0x1,
  copySource: 0x4,
  copyTarget: 0x8,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
} as const;

/** GPUMapMode.READ. */
export const MAP_READ = 0x1;

/** Two buffers: each step reads one and writes the other. */
export type BufferPair = readonly [GPUBuffer, GPUBuffer];

/** The buffers of a film; what they hold is said in the shaders. */
export interface SnowBuffers {
  readonly terrain: GPUBuffer;
  readonly snow: BufferPair;
  readonly landed: GPUBuffer;
  readonly heights: GPUBuffer;
  readonly floors: GPUBuffer;
  readonly weather: GPUBuffer;
  readonly wind: BufferPair;
  readonly divergence: GPUBuffer;
  readonly pressure: GPUBuffer;
  /** One a half sweep. */
  readonly sweeps: readonly GPUBuffer[];
  readonly flakes: GPUBuffer;
  readonly keys: GPUBuffer;
  readonly numbers: GPUBuffer;
  readonly palette: GPUBuffer;
}

/** Makes the buffers as they are before the first step. */
export function createBuffers(device: GPUDevice, scene: SnowScene): SnowBuffers {
  const { storage, uniform, copySource, copyTarget } = USAGE;
  const empty = (name: string, words: number, usage: number = storage | copySource | copyTarget) =>
    device.createBuffer({ label: `Snow.${name}`, size: 4 * Math.max(4, words), usage });
  const filled = (name: string, words: Float32Array | Uint32Array, usage?: number) => {
    const buffer = empty(name, words.length, usage);
    device.queue.writeBuffer(buffer, 0, words as Float32Array<ArrayBuffer>);
    return buffer;
  };
  const columns = scene.columnsX * scene.columnsZ;
  const cells = cellCount(scene);
  const entries = ENTRIES_PER_FLAKE * scene.flakes;
  const terrain = makeTerrain(scene);
  const { heights } = settleSnow(scene, terrain, new Uint32Array(columns), new Uint32Array(columns));
  const floors = floorsOf(scene, heights);
  return {
    terrain: filled('terrain', terrain),
    snow: [empty('snow0', columns), empty('snow1', columns)],
    landed: empty('landed', columns),
    heights: filled('heights', heights),
    floors: filled('floors', floors),
    weather: empty('weather', 4, uniform | copyTarget),
    wind: [filled('wind0', startWind(scene, floors)), empty('wind1', 3 * cells)],
    divergence: empty('divergence', cells),
    pressure: empty('pressure', cells),
    sweeps: relaxationFactors(scene).map((factor, half) => {
      const words = new Uint32Array([0, half % 2]);
      new Float32Array(words.buffer)[0] = factor;
      return filled(`sweep${half}`, words, uniform | copyTarget);
    }),
    flakes: filled('flakes', startFlakes(scene, heights).words),
    keys: empty('keys', entries),
    numbers: empty('numbers', entries),
    palette: filled(
      'palette',
      Float32Array.from(Object.values(PALETTE).flatMap(colour => [...colour, 1])),
      uniform | copyTarget,
    ),
  };
}

/** Frees the buffers. */
export function destroyBuffers(buffers: SnowBuffers): void {
  for (const buffer of Object.values(buffers).flat()) buffer.destroy();
}
