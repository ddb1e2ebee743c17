// Where the queue of a farm is: Redis or PostgreSQL, by URL.
import { OptionError } from '../../errors.js';

/** A queue that can be reached. */
export interface QueuePlace {
  readonly kind: 'redis' | 'postgres';
  readonly url: string;
  /** The URL without a password, for messages. */
  readonly shown: string;
}

const KINDS: Readonly<Record<string, QueuePlace['kind'] | undefined>> = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
};

/** The queue that a URL names. Throws an OptionError for one that names none. */
export function parseQueueUrl(url: string): QueuePlace {
  const kind = URL.canParse(url) ? KINDS[new URL(url).protocol] : undefined;
  // What is no URL may hold a password, too.
  const shown = url.replace(/(:\/\/[^/@]*?:).*@/, '$1...@').replace(/([?&]password=)[^&]*/, '$1...');
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
  return { kind, url, shown };
}
