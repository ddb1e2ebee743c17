// Loads packages that only a farm needs.
import { createRequire } from 'node:module';
import { UnsupportedError } from '../errors.js';

/**
 * What `load` imports. Throws an UnsupportedError that says what to install if it is not there. A package in CommonJS
 * is better required, see below.
 */
export async function loadOptional<Module>(
  load: () => Promise<Module>,
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

/**
 * The same for a package in CommonJS. An import reads all its files for the names that they export, and then loads
 * them: BullMQ takes 0.5 s so, and 0.25 when it is required.
 */
export function requireOptional<Module>(name: string, what: string, packages: string): Promise<Module> {
  return loadOptional(async () => createRequire(import.meta.url)(name) as Module, what, packages);
}
