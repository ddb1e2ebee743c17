// Loads packages that only a farm needs.
import { UnsupportedError } from '../errors.js';

/**
 * What `load` imports or requires. Throws an UnsupportedError that says what to install if it is not there. A package
 * in CommonJS is better required: an import reads all its files for the names that they export, and then loads them,
 * which takes BullMQ 0.5 s instead of 0.25.
 */
export async function loadOptional<Module>(
  load: () => Module | Promise<Module>,
  what: string,
  packages: string,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    // The one of an import, the other of a require.
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new UnsupportedError(`${what} needs packages that are not installed: npm install ${packages}`, {
      cause: error,
    });
  }
}
