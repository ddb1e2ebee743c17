// BullMQ's backend for PostgreSQL, made to survive a server that ends, or says no more, at any moment.
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientConfig } from 'pg';

type PgClient = typeof import('pg').Client;
type CreateBackend = typeof import('bullmq').createPostgresBackend;

/** How long open connections may take to end by themselves, in milliseconds: those to a frozen server never would. */
const CLOSE_MS = 2000;
/** How long a worker rests that is refused, for example since all connections are in use, in milliseconds. */
const ASK_AGAIN_MS = 1000;

/**
 * The same backend, with what BullMQ lacks. No error of a client that nobody listens to ends this process: BullMQ does
 * not listen to its clients while they are lent for a transaction, nor to the one that listens as it connects and as it
 * closes. The errors still arrive where they did: a query is rejected, or the backend emits them. A worker that is
 * refused rests before it asks again. To close takes seconds at most, and leaves no connection behind.
 */
export function steady(create: CreateBackend, Client: PgClient): CreateBackend {
  return (name, options, more) => {
    const sockets = new Set<Socket>();
    const stream = (): Socket => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    };
    const reached = Object.assign({ stream, Client }, options.connection);
    const backend = create(name, { ...options, connection: reached }, more);
    const { connection } = backend;
    Object.assign(connection, { pgModule: { Client } }); // makes the client that listens
    const getListenClient = connection.getListenClient.bind(connection);
    connection.getListenClient = () => getListenClient().catch(failLater);
    const moveToActive = backend.moveToActive.bind(backend);
    backend.moveToActive = (...asked) => moveToActive(...asked).catch(failLater);
    const close = connection.close.bind(connection);
    connection.close = async () => {
      const late = setTimeout(() => {
        connection.removeAllListeners('error'); // nobody needs to hear of the cut
        for (const socket of sockets) socket.destroy();
      }, CLOSE_MS);
      // A worker that is closed by force may wait for a step, an hour at most.
      await backend.disconnectBlocking();
      await close();
      await Promise.all([...sockets].map(socket => new Promise(resolve => socket.once('close', resolve))));
      clearTimeout(late);
    };
    return backend;
  };
}

/** Clients whose errors end nothing when nobody listens to them, and that connect within a time, in milliseconds. */
export function steadyClient(Client: PgClient, connectMs: number | undefined): PgClient {
  return class extends Client {
    constructor(config: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMs });
    }

    override emit(event: string | symbol, ...values: unknown[]): boolean {
      return (event !== 'error' || this.listenerCount(event) > 0) && super.emit(event, ...values);
    }
  };
}

async function failLater(error: unknown): Promise<never> {
  await pause(ASK_AGAIN_MS);
  throw error;
}
