// Which farm a command means, and what a path is called there.
import { readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { InputError, OptionError } from '../../errors.js';
import type { FarmOptions } from '../../farm/farm-client.js';

/** Where `farm up` keeps a queue unless another folder is named. */
export const DEFAULT_FARM_FOLDER = '.mpegpu-farm';
/** The file there that holds the URL. */
export const URL_FILE = 'url';

/** The farm that flags mean. Throws an OptionError if they and the environment name none. */
export async function farmOptions(flags: { readonly url?: string; readonly queue?: string }): Promise<FarmOptions> {
  const { url = process.env.MPEGPU_FARM_URL || (await urlOfThisFolder()), queue } = flags;
  if (url === undefined) {
    const what = '--url is needed, or MPEGPU_FARM_URL in the environment';
    throw new OptionError('url', `${what}: redis://HOST:PORT, postgres://..., or what mpegpu farm up prints`);
  }
  return { url, ...(queue !== undefined && { queue }) };
}

async function urlOfThisFolder(): Promise<string | undefined> {
  const text = await readFile(join(DEFAULT_FARM_FOLDER, URL_FILE), 'utf8').catch(() => undefined);
  return text?.trim();
}

/** Whether a text is a URL of a place, not a path. */
export function isPlaceUrl(text: string): boolean {
  return /^(file:|s3:\/\/)/.test(text);
}

/** The URL of a path below the root. Throws an InputError for a path that is not. */
export function placeUrl(path: string, root = '.'): string {
  if (isPlaceUrl(path)) return path;
  const below = relative(resolve(root), resolve(path));
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || resolve(below) === below) {
    throw new InputError(`${path} is not below the root ${resolve(root)}: name the shared folder with --root`);
  }
  return `file:${below.split(sep).join('/')}`;
}
