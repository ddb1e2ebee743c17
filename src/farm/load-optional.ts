// Loads packages that only a farm needs.
import { UnsupportedError } from '../errors.js';

/** What `load` imports. Throws an UnsupportedError that says what to install if it is not there. */
export async function loadOptional<Module>(
  load: () => Promise<Module>,
  what: string,
  packages: string,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UnsupportedError(`${what} needs packages that are not installed: npm install ${packages}`, {
      cause: error,
    });
  }
}
