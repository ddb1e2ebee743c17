// Where kernels keep what they need from one step to the next: each thread on a shared memory has a place of its own.
import { SCRATCH_BYTES } from './generated/tables';

/** Start of this instance's scratch memory, SCRATCH_BYTES long, all zero; 16-byte aligned. */
@external('env', 'scratch')
declare const start: usize;

let used: usize = 0;

/** Takes `bytes` of the scratch memory, 16-byte aligned, when the module is instantiated. */
export function scratch(bytes: usize): usize {
  const at = start + used;
  used += (bytes + 15) & ~15;
  if (used > <usize>SCRATCH_BYTES) abort();
  return at;
}
