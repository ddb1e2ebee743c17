// Where the queue of a farm is: Redis or PostgreSQL, by URL.
import { OptionError } from '../../errors.js';

/** A queue that can be reached. */
export interface QueuePlace {
  readonly kind: 'redis' | 'postgres';
  readonly url: string;
  /** The URL without user and passwords, for messages. */
  readonly shown: string;
}

const KINDS: Readonly<Record<string, QueuePlace['kind'] | undefined>> = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
};

/** The queue that a URL names. Throws an OptionError for one that names none. */
export function parseQueueUrl(given: string): QueuePlace {
  const url = String(given);
  const kind = URL.canParse(url) ? KINDS[new URL(url).protocol] : undefined;
  // A text that is no URL may hold a password, too, and a password may stand in the place of a user's name.
  const shown = url.replace(/([?&](?:ssl)?password=)[^&]*/gi, '$1...').replace(/^([a-z]*:\/\/)?.*@/is, '$1...@');
  if (!kind) {
    const legal = 'legal: redis://HOST:PORT, rediss://HOST:PORT, postgres://USER:PASSWORD@HOST:PORT/DATABASE';
    throw new OptionError('url', named => `${named('url')} '${shown}' names no queue; ${legal}`);
  }
  if (kind === 'redis' && !/^\/?\d*$/.test(new URL(url).pathname)) {
    throw new OptionError(
      'url',
      named => `${named('url')} '${shown}': a database of Redis is a number, as in redis://HOST/2`,
    );
  }
  if (kind === 'redis' && /%(?![0-9a-f]{2})/i.test(url)) {
    throw new OptionError('url', named => `${named('url')} '${shown}': a % in a name or password is written %25`);
  }
  return { kind, url, shown };
}
