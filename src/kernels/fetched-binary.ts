// The SIMD kernels as a file. Takes the place of simd-binary.ts in what browsers load.

/** The module of the SIMD kernels, fetched and compiled. Rejects where the file cannot be fetched. */
export async function compileSimdModule(): Promise<WebAssembly.Module> {
  // Bundlers look for just this expression. The file lies beside the bundle that this one becomes a part of.
  const url = new URL('./kernels.wasm', import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the kernels cannot be fetched: ${url} answers ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
