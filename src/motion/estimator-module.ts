// Loads a third-party estimator from a module.
import { messageOf, OptionError } from '../errors.js';
import type { EstimatorFactory } from './estimator.js';

/** Whether `choice` is a module path, not a name: it contains a slash or a backslash, or ends in .js or .mjs. */
export function isModulePath(choice: string): boolean {
  return /[\\/]|\.m?js$/.test(choice);
}

/**
 * The estimator factory of a module: its default export, or its export `createEstimator`. A relative path starts at the
 * working directory; a URL is taken as it is. Throws OptionError with the reason where the module has none.
 */
export async function loadEstimatorModule(path: string): Promise<EstimatorFactory> {
  let module: { readonly default?: unknown; readonly createEstimator?: unknown };
  try {
    module = await import(/* @vite-ignore */ moduleUrl(path));
  } catch (error) {
    const reason = messageOf(error).replace(/ imported from .*/, '');
    throw new OptionError(
      'estimator',
      named => `the module ${path} of ${named('estimator')} cannot be loaded: ${reason}`,
    );
  }
  const factory = module.default ?? module.createEstimator;
  if (typeof factory === 'function') return factory as EstimatorFactory;
  const wrong = 'exports no factory: it needs a default export or createEstimator(parameters)';
  throw new OptionError('estimator', named => `the module ${path} of ${named('estimator')} ${wrong}`);
}

/** A specifier for `import`, which would resolve a relative path from this file. */
function moduleUrl(path: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return path;
  const process = (globalThis as { process?: { cwd?: () => string } }).process;
  if (!process?.cwd) return path;
  const fileUrl = (absolute: string): string => `file://${absolute.startsWith('/') ? '' : '/'}${encodePath(absolute)}`;
  const isAbsolute = /^(?:[a-z]:)?[\\/]/i.test(path);
  return isAbsolute ? fileUrl(path) : new URL(encodePath(path), `${fileUrl(process.cwd())}/`).href;
}

/** A file path as part of a URL: the characters that have a meaning in URLs are escaped. */
function encodePath(path: string): string {
  return encodeURI(path.replaceAll('\\', '/')).replaceAll('?', '%3F').replaceAll('#', '%23');
}
