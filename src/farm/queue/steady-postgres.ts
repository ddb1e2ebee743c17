// BullMQ's backend for PostgreSQL, made to survive a server that ends at any moment.

type CreateBackend = typeof import('bullmq').createPostgresBackend;
type ListenClient = Awaited<ReturnType<ReturnType<CreateBackend>['connection']['getListenClient']>>;

/**
 * The same backend, whose clients always have a listener for errors. BullMQ leaves them without one while a client is
 * lent for a transaction, and while it closes the one that listens; a server that ends then would end this process. The
 * errors still arrive where they did: a query is rejected, or the backend emits them.
 */
export function steady(create: CreateBackend): CreateBackend {
  return (...made) => {
    const backend = create(...made);
    const { connection } = backend;
    connection.pool.on('connect', client => client.on('error', ignore));
    const getListenClient = connection.getListenClient.bind(connection);
    const known = new WeakSet<ListenClient>();
    connection.getListenClient = async () => {
      const client = await getListenClient();
      if (!known.has(client)) keepListening(client);
      known.add(client);
      return client;
    };
    return backend;
  };
}

/** Listens to a client's errors, even when all listeners are removed. */
function keepListening(client: ListenClient): void {
  const removeAllListeners = client.removeAllListeners.bind(client);
  client.removeAllListeners = (...events) => {
    removeAllListeners(...events);
    return client.on('error', ignore);
  };
}

function ignore(): void {}
