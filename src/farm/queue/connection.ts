// Connects BullMQ to Redis or to PostgreSQL.
import type { ConnectionOptions, JobsOptions } from 'bullmq';
import type { Client } from 'pg';
import { UnsupportedError } from '../../errors.js';
import { loadOptional, requireOptional } from '../load-optional.js';
import type { QueuePlace } from './queue-url.js';
import { steady, steadyClient } from './steady-postgres.js';

type BullMq = typeof import('bullmq');
type IoRedis = typeof import('ioredis');

/** What BullMQ's classes are made with. Their types are those of its backend for Redis. */
export interface Connection {
  readonly options: { readonly connection: ConnectionOptions; readonly prefix: string };
  /** Undefined: Redis. */
  readonly backend: undefined;
  /** Options for adding a plan: with them, steps whose children are done come before plans that wait. */
  readonly ofPlans: JobsOptions;
  /** Closes what BullMQ does not. */
  close(): Promise<void>;
}

/** All keys in Redis begin so; the tables in PostgreSQL lie in a schema of this name. */
const NAMESPACE = 'mpegpu';
const CONNECT_MS = 5000;
/** Connections of one class of BullMQ to PostgreSQL, besides one that listens. */
const POSTGRES_CONNECTIONS = 2;
const MAX_RETRY_MS = 2000;
/** How long a question may take before PostgreSQL is used, in milliseconds; the making of its tables is one. */
const PREPARE_MS = 10_000;
/** Errors that say that nothing came back in time. */
const SILENT = /^(Command timed out|Connection is closed\.?|Query read timeout|timeout (expired|exceeded .*))$/;
/** Codes of errors that say that PostgreSQL is away: Node's, and its own while it ends or starts. */
const AWAY = /^(E[A-Z_]+|57P0.)$/;

/** Which kind of connection is wanted. */
export interface ConnectionWish {
  /** The packages that are needed, for messages. */
  readonly packages: string;
  /** How long a question waits for its answer, in milliseconds; undefined: without an end, as workers do. */
  readonly answerMs?: number | undefined;
}

/** Connects, or throws an UnsupportedError that says why that is not possible. */
export function connectQueue(place: QueuePlace, bullmq: BullMq, wish: ConnectionWish): Promise<Connection> {
  return place.kind === 'redis' ? connectRedis(place, wish) : connectPostgres(place, bullmq, wish);
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
  return { options: { connection: redis, prefix: NAMESPACE }, backend: undefined, ofPlans: {}, close };
}

async function connectPostgres(
  place: QueuePlace,
  bullmq: BullMq,
  { packages, answerMs }: ConnectionWish,
): Promise<Connection> {
  const { default: pg } = await loadOptional(() => import('pg'), 'a queue in PostgreSQL', packages);
  const at = { connectionString: place.url, keepAlive: true };
  let probe: Client | undefined;
  try {
    probe = new pg.Client({ ...at, connectionTimeoutMillis: CONNECT_MS, query_timeout: PREPARE_MS });
    probe.on('error', () => {});
    await probe.connect();
    await makeTables(bullmq, probe);
  } catch (error) {
    throw unreachable(place, reasonOf(error));
  } finally {
    await probe?.end().catch(() => {});
  }
  // The limit is one of the client. A limit of the pool would hold for the wait for a free client, too, and a list of
  // jobs asks many questions.
  const SteadyClient = steadyClient(pg.Client, answerMs);
  const limits = answerMs !== undefined && { query_timeout: answerMs };
  const connection = { ...at, ...limits, schema: NAMESPACE, max: POSTGRES_CONNECTIONS };
  return {
    options: { connection: connection as ConnectionOptions, prefix: NAMESPACE },
    // BullMQ's classes behave alike on both; only their types tell the backends apart.
    backend: steady(bullmq.createPostgresBackend, SteadyClient) as unknown as undefined,
    // BullMQ puts a step whose children are done behind all that wait; on Redis before them.
    ofPlans: { priority: 1 },
    close: async () => {},
  };
}

/** Makes what is missing of the tables. Where nothing is, no lock is taken, and no right to make a schema is needed. */
async function makeTables(bullmq: BullMq, client: Client): Promise<void> {
  const version = await bullmq.assertSchemaCompatibility(client, NAMESPACE).catch(error => {
    if (error instanceof bullmq.SchemaMigrationRequiredError) return 0;
    throw error;
  });
  if (version < bullmq.LATEST_SCHEMA_VERSION) await bullmq.runMigrations(client, NAMESPACE);
}

function unreachable({ shown }: QueuePlace, reason: string): UnsupportedError {
  return new UnsupportedError(`the queue ${shown} cannot be reached: ${reason}`);
}

/** Whether an error says that the queue does not answer. */
export function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, code } = error as NodeJS.ErrnoException;
  return SILENT.test(message) || /^Connection terminated/.test(message) || AWAY.test(String(code));
}

/** Node's errors for a name with several addresses have no message. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly Error[] };
  if (SILENT.test(message)) return 'it does not answer';
  if (/client password must be a/.test(message)) return 'it asks for a password, and the URL has none';
  return message || errors?.[0]?.message || code || String(error);
}
