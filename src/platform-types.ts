// Types of the platform, Node or a browser. A program that has no types of a platform gets what it needs of them.

/** An AbortSignal. */
export type AbortSignalType = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean; readonly reason: unknown };

/** A URL. */
export type UrlType = typeof globalThis extends { URL: { prototype: infer Url } } ? Url : { readonly href: string };

/** A memory of WebAssembly. */
export type WasmMemoryType = typeof globalThis extends { WebAssembly: { Memory: { prototype: infer Memory } } }
  ? Memory
  : { readonly buffer: ArrayBufferLike };

/** A compiled module of WebAssembly. */
export type WasmModuleType = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

/** The WebGPU entry point, `navigator.gpu`. */
export type GpuType = typeof globalThis extends { GPU: { prototype: infer Gpu } } ? Gpu : object;

/** A WebGPU device. */
export type GpuDeviceType = typeof globalThis extends { GPUDevice: { prototype: infer Device } } ? Device : object;

/** A buffer of a WebGPU device. */
export type GpuBufferType = typeof globalThis extends { GPUBuffer: { prototype: infer Buffer } }
  ? Buffer
  : { readonly size: number };

/** What commands of a WebGPU compute pass are recorded with. */
export type GpuComputePassType = typeof globalThis extends { GPUComputePassEncoder: { prototype: infer Pass } }
  ? Pass
  : object;
