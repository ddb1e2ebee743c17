// The memory that belongs to an instance of the SIMD kernels alone.

/** Bytes that the kernels of one thread keep their intermediate results in. */
export const SCRATCH_BYTES = 73728;
