// Writes the sources that are made from others: records of assembly/, shaders as strings, the report's viewer.
import { embedViewer } from './embed-viewer.mjs';

/** Writes what has changed; the kernels are compiled after it. */
export async function generateSources() {
  await import('./write-assembly-records.mjs');
  await import('./embed-shaders.mjs');
  await embedViewer();
}
