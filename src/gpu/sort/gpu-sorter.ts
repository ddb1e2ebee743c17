// The contract of the sort on the GPU: of arrays, and of buffers that are on the GPU already.
import type { GpuBufferType, GpuComputePassType, GpuDeviceType, GpuType } from '../../platform-types.js';
import type { SortedItems } from './sort-items.js';

/** How a sorter gets its GPU. */
export interface GpuSorterOptions {
  /** The caller's device, which the sorter leaves open. By default the sorter opens the machine's GPU. */
  readonly device?: GpuDeviceType | undefined;
  /** The WebGPU entry point; by default `navigator.gpu`, or else that of the `webgpu` package. */
  readonly gpu?: GpuType | undefined;
  /** False refuses software adapters; true, the default, takes one if there is no other. */
  readonly allowSoftware?: boolean | undefined;
}

/** Buffers to sort, with the usage STORAGE, on the sorter's device. */
export interface SortBuffers {
  /** u32 keys. */
  readonly keys: GpuBufferType;
  /** u32 values that move with the keys; absent: keys alone are sorted. */
  readonly values?: GpuBufferType | undefined;
  /** Items from the start of the buffers on; what follows them stays as it is. Default: all that `keys` holds. */
  readonly length?: number | undefined;
}

/** The passes that sort one pair of buffers in place. */
export interface SortPasses {
  /** Items that are sorted. */
  readonly length: number;
  /**
   * Records the sort, as often as wanted. It sees what is recorded before it, in the same compute pass too, and sets
   * the pass's pipeline and its bind group 0.
   */
  record(pass: GpuComputePassType): void;
  /** Frees what the passes need besides the buffers that they sort. Only when no sort is under way. */
  destroy(): void;
}

/** Sorts by key, then by value, ascending; both are u32. Several sorts may be under way. */
export interface GpuSorter {
  /** The device on which it sorts. */
  readonly device: GpuDeviceType;
  /** Most items of one sort: 2^26, or as many keys as a storage buffer of the device holds. */
  readonly maxItems: number;
  /**
   * Sorts copies of the arrays, which have one length, and returns new arrays. Rejects with `OptionError` for arrays of
   * another type, for lengths that differ or are above `maxItems`, and with `UnsupportedError` if the GPU fails or the
   * sorter is closed.
   */
  sort(keys: Uint32Array, values?: Uint32Array): Promise<SortedItems>;
  /**
   * Passes that sort buffers on the GPU. Throws `OptionError` for a length above `maxItems`, and for buffers shorter
   * than that.
   */
  createPasses(buffers: SortBuffers): SortPasses;
  /** Closes the device, unless it is the caller's. May be called again. */
  close(): Promise<void>;
}
