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
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const kind = parsed && KINDS[parsed.protocol];
  if (!parsed || !kind) {
    const legal = 'legal: redis://HOST:PORT, rediss://HOST:PORT, postgres://USER:PASSWORD@HOST:PORT/DATABASE';
    throw new OptionError('url', named => `${named('url')} '${url}' names no queue; ${legal}`);
  }
  if (parsed.password !== '') parsed.password = '...';
  return { kind, url, shown: parsed.href };
}
