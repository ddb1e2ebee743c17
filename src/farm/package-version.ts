// The version of mpegpu that runs.
import { createRequire } from 'node:module';

/** As package.json says it. A plan's bytes are the same with the same version only. */
export function packageVersion(): string {
  return (createRequire(import.meta.url)('../../package.json') as { readonly version: string }).version;
}
