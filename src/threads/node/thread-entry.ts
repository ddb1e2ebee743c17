// Where the files of threads are.
import { fileURLToPath } from 'node:url';

/**
 * The entry `name`: the built file of that name beside the module whose import.meta.url is `here`. Node loads no
 * TypeScript, so a test that runs the sources takes it from dist/.
 */
export function threadEntry(here: string, name: string): string {
  const built = here.endsWith('.ts') ? here.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : here;
  return fileURLToPath(new URL(name, built));
}
