// Connects BullMQ to Redis or to PostgreSQL.
import type { ConnectionOptions } from 'bullmq';
import { UnsupportedError } from '../../errors.js';
import { loadOptional, requireOptional } from '../load-optional.js';
import type { QueuePlace } from './queue-url.js';
import { steady } from './steady-postgres.js';

type BullMq = typeof import('bullmq');
type IoRedis = typeof import('ioredis');

/** What BullMQ's classes are made with. Their types are those of its backend for Redis. */
export interface Connection {
  readonly options: { readonly connection: ConnectionOptions; readonly prefix: string };
  /** Undefined: Redis. */
  readonly backend: undefined;
  /** Closes what BullMQ does not. */
  close(): Promise<void>;
}

/** All keys in Redis begin so; the tables in PostgreSQL lie in a schema of this name. */
const NAMESPACE = 'mpegpu';
const CONNECT_MS = 5000;
/** Connections of one class of BullMQ to PostgreSQL, besides one that listens. */
const POSTGRES_CONNECTIONS = 2;
const MAX_RETRY_MS = 2000;

/** For which connection, and with which packages. */
export interface ConnectionWish {
  /** The packages that are needed, for messages. */
  readonly packages: string;
  /** After so long without an answer a command of Redis fails; undefined: it waits, as workers do. */
  readonly answerMs?: number | undefined;
}

/** Connects, or throws an UnsupportedError that says why that is not possible. */
export function connectQueue(place: QueuePlace, bullmq: BullMq, wish: ConnectionWish): Promise<Connection> {
  return place.kind === 'redis' ? connectRedis(place, wish) : connectPostgres(place, bullmq, wish.packages);
}

async function connectRedis(place: QueuePlace, { packages, answerMs }: ConnectionWish): Promise<Connection> {
  const { Redis } = await requireOptional<IoRedis>('ioredis', 'a queue in Redis', packages);
  const limits = { connectTimeout: CONNECT_MS, commandTimeout: CONNECT_MS };
  const probe = new Redis(place.url, { lazyConnect: true, retryStrategy: () => null, ...limits });
  let reason = '';
  probe.on('error', error => {
    reason = reasonOf(error);
  });
  try {
    await probe.connect();
    await probe.ping();
    // ioredis goes on in database 0 where there is none of this number. Not every user and proxy may select number 0.
    if (probe.options.db) await probe.select(probe.options.db);
  } catch (error) {
    throw unreachable(place, reason || reasonOf(error));
  } finally {
    probe.disconnect();
  }
  const redis = new Redis(place.url, {
    maxRetriesPerRequest: null,
    retryStrategy: times => Math.min(100 * times, MAX_RETRY_MS),
    ...(answerMs !== undefined && { commandTimeout: answerMs }),
  });
  const close = async () => redis.disconnect();
  return { options: { connection: redis, prefix: NAMESPACE }, backend: undefined, close };
}

async function connectPostgres(place: QueuePlace, bullmq: BullMq, packages: string): Promise<Connection> {
  const { default: pg } = await loadOptional(() => import('pg'), 'a queue in PostgreSQL', packages);
  const probe = new pg.Client({ connectionString: place.url, connectionTimeoutMillis: CONNECT_MS });
  probe.on('error', () => {});
  try {
    await probe.connect();
    await bullmq.runMigrations(probe, NAMESPACE);
  } catch (error) {
    throw unreachable(place, reasonOf(error));
  } finally {
    await probe.end().catch(() => {});
  }
  const connection = { connectionString: place.url, schema: NAMESPACE, max: POSTGRES_CONNECTIONS };
  return {
    options: { connection: connection as ConnectionOptions, prefix: NAMESPACE },
    // BullMQ's classes behave alike on both; only their types tell the backends apart.
    backend: steady(bullmq.createPostgresBackend) as unknown as undefined,
    close: async () => {},
  };
}

function unreachable({ shown }: QueuePlace, reason: string): UnsupportedError {
  return new UnsupportedError(`the queue ${shown} cannot be reached: ${reason}`);
}

/** Whether an error of Redis says that it does not answer. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof Error && /^(Command timed out|Connection is closed\.?)$/.test(error.message);
}

/** Node's errors for a name with several addresses have no message. */
function reasonOf(error: unknown): string {
  if (isNoAnswer(error)) return 'it does not answer';
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly Error[] };
  return message || errors?.[0]?.message || code || String(error);
}
