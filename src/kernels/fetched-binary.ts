// The SIMD kernels as a file. Takes the place of simd-binary.ts in what browsers load.

/** The module of the SIMD kernels, fetched and compiled. Rejects where the file cannot be fetched. */
export async function compileSimdModule(): Promise<WebAssembly.Module> {
  // Bundlers look for just this expression (docs/browser.md says which path each takes).
  const url = new URL('mpegpu/kernels.wasm', import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the kernels cannot be fetched: ${url} answers ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
