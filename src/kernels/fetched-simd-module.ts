// The SIMD kernels as a file. Takes the place of simd-binary.ts in what browsers load.
import { messageOf, UnsupportedError } from '../errors.js';

/** The module of the SIMD kernels, fetched and compiled. Rejects with UnsupportedError where that is not possible. */
export async function compileSimdModule(kernelsUrl?: string): Promise<WebAssembly.Module> {
  // Bundlers look for just this expression (docs/browser.md says which path each takes).
  const url = kernelsUrl ?? new URL('mpegpu/kernels.wasm', import.meta.url);
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    // What is there but does not compile, perhaps by the page's policy, is no better at another place.
    const isThere = error instanceof WebAssembly.CompileError;
    const advice = kernelsUrl === undefined && !isThere ? '; the option kernelsUrl names another place' : '';
    throw new UnsupportedError(`the kernels cannot be loaded from ${url} (${messageOf(error)})${advice}`);
  }
}
