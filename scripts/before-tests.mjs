// Before the tests: compiles what has changed since the last build.
import { bundle } from './bundle.mjs';
import { compileAll } from './compile.mjs';

/** vitest calls it once. */
export default async function beforeTests() {
  await compileAll();
  await bundle();
}
