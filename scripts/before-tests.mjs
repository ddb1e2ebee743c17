// Before the tests: compiles what has changed since the last build.
import { bundle } from './bundle.mjs';
import { compileAll } from './compile.mjs';
import { embedViewer } from './embed-viewer.mjs';

/** vitest calls it once. */
export default async function beforeTests() {
  await embedViewer();
  await compileAll();
  await bundle();
}
