// BullMQ's backend for PostgreSQL, made to survive a server that ends, or says no more, at any moment.
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

type CreateBackend = typeof import('bullmq').createPostgresBackend;
type ListenClient = Awaited<ReturnType<ReturnType<CreateBackend>['connection']['getListenClient']>>;

/** How long open connections may take to end by themselves, in milliseconds: those to a frozen server never would. */
const CLOSE_MS = 2000;
/** How long a worker rests that is refused, for example since all connections are in use, in milliseconds. */
const ASK_AGAIN_MS = 1000;

/**
 * The same backend, with what BullMQ lacks. Its clients always have a listener for errors: BullMQ leaves them without
 * one while a client is lent for a transaction, and while it closes the one that listens; a server that ends then would
 * end this process. The errors still arrive where they did: a query is rejected, or the backend emits them. A worker
 * that is refused rests before it asks again. To close takes seconds at most, and leaves no connection behind.
 */
export function steady(create: CreateBackend): CreateBackend {
  return (name, options, more) => {
    const sockets = new Set<Socket>();
    const stream = (): Socket => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    };
    const backend = create(name, { ...options, connection: Object.assign({ stream }, options.connection) }, more);
    const { connection } = backend;
    connection.pool.on('connect', client => client.on('error', ignore));
    const getListenClient = connection.getListenClient.bind(connection);
    const known = new WeakSet<ListenClient>();
    connection.getListenClient = async () => {
      const client = await getListenClient().catch(failLater);
      if (!known.has(client)) keepListening(client);
      known.add(client);
      return client;
    };
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

/** Listens to a client's errors, even when all listeners are removed: whoever closes it may have done so already. */
function keepListening(client: ListenClient): void {
  client.on('error', ignore);
  const removeAllListeners = client.removeAllListeners.bind(client);
  client.removeAllListeners = (...events) => {
    removeAllListeners(...events);
    return client.on('error', ignore);
  };
}

async function failLater(error: unknown): Promise<never> {
  await pause(ASK_AGAIN_MS);
  throw error;
}

function ignore(): void {}
