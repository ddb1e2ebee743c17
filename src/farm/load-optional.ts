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
    throw isMissing(error) ? notInstalled(what, packages, error) : error;
  }
}

/** Whether an import or a require has failed since its package is not there. */
function isMissing(error: unknown): boolean {
  return /^(ERR_)?MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code));
}

function notInstalled(what: string, packages: string, cause: unknown): UnsupportedError {
  return new UnsupportedError(`${what} needs packages that are not installed: npm install ${packages}`, { cause });
}

/** Throws the same error unless all of these packages are there. It loads none. */
export function requireInstalled(packages: string, what: string): void {
  const { resolve } = createRequire(import.meta.url);
  for (const name of packages.split(' ')) {
    try {
      resolve(name);
    } catch (error) {
      if (isMissing(error)) throw notInstalled(what, packages, error);
    }
  }
}

/**
 * What a package in CommonJS exports, else as `loadOptional`. An import reads all its files for the names that they
 * export, and then loads them: BullMQ takes 0.5 s so, and 0.25 when it is required.
 */
export function requireOptional<Module>(name: string, what: string, packages: string): Promise<Module> {
  return loadOptional(async () => createRequire(import.meta.url)(name) as Module, what, packages);
}
