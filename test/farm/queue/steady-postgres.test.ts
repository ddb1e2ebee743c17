// What BullMQ's backend for PostgreSQL lacks: a rest between refusals, an end of every wait, ears for every error.
import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createPostgresBackend } from 'bullmq';
import pg from 'pg';
import { expect, it } from 'vitest';
import { steady, steadyClient } from '../../../src/farm/queue/steady-postgres.js';

type Create = Parameters<typeof steady>[0];

/** A backend of which all asks are refused, and whose close waits for its sockets' ends, as those of pg do. */
function refusing() {
  const done: string[] = [];
  const sockets: Socket[] = [];
  const refuse = () => Promise.reject(new Error('sorry, too many clients already'));
  const connection = Object.assign(new EventEmitter(), {
    pool: new EventEmitter(),
    getListenClient: refuse,
    close: async () => {
      done.push('close');
      await Promise.all(sockets.map(socket => once(socket, 'close')));
    },
  });
  const backend = { connection, moveToActive: refuse, disconnectBlocking: async () => void done.push('no more wait') };
  const create = (_: string, { connection: { stream } }: { connection: { stream: () => Socket } }) => {
    sockets.push(stream(), stream());
    return backend;
  };
  const made = steady(create as unknown as Create, pg.Client)('q', { connection: { max: 2 } } as never);
  return { backend: made, sockets, done };
}

it('a worker that is refused rests before it asks again', async () => {
  const { backend } = refusing();
  for (const ask of [() => backend.moveToActive('token'), () => backend.connection.getListenClient()]) {
    const start = performance.now();
    await expect(ask()).rejects.toThrow('too many clients');
    expect(performance.now() - start).toBeGreaterThan(900);
  }
});

it('to close ends the wait for a step, and cuts connections whose server does not answer', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { backend, sockets, done } = refusing();
  for (const socket of sockets) socket.connect((server.address() as { port: number }).port, '127.0.0.1');
  await Promise.all(sockets.map(socket => once(socket, 'connect')));
  const start = performance.now();
  await backend.connection.close();
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(done).toEqual(['no more wait', 'close']);
  expect(sockets.every(socket => socket.destroyed)).toBe(true);
  server.close();
});

/** A message of PostgreSQL's protocol: its letter, its length, its content. */
function message(letter: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(content)]);
}

it('a client that listens survives a server whose last words come with its first', async () => {
  const welcome = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]);
  const farewell = message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  let connections = 0;
  const server = createServer(socket => {
    const isFirst = connections++ === 0;
    socket.once('data', () => {
      if (isFirst) socket.end(Buffer.concat([welcome, farewell]));
      else socket.write(welcome);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const create = steady(createPostgresBackend, steadyClient(pg.Client, undefined));
  const at = { host: '127.0.0.1', port, user: 'guest' };
  const backend = create('q', { connection: at } as never);
  backend.on('error', () => {});
  const { connection } = backend;
  const lost = once(connection, 'listenerinvalidated');
  const first = await connection.getListenClient();
  await lost;
  expect(await connection.getListenClient()).not.toBe(first);
  await connection.close();
  server.close();
});
