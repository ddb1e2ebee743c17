// `mpegpu farm up`: a farm of one machine.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../counted.js';
import { EmbeddedQueue } from '../../farm/embedded/embedded-postgres.js';
import { FarmWorker } from '../../farm/worker/worker.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { writeStandardOutput } from '../standard-output.js';
import { DEFAULT_FARM_FOLDER, URL_FILE } from './farm-place.js';
import { aborted } from './worker-command.js';

/** What runs may end within this time after Ctrl-C. */
const GRACE_MS = 5000;
const SECRET_MODE = 0o600;

/** Runs a queue and workers until it is interrupted. */
export async function runFarmUp(flags: FlagsOf<'farm up'>): Promise<void> {
  const { folder = DEFAULT_FARM_FOLDER, port = 0, workers: count = 1, root = '.', s3, threads } = flags;
  await Interruption.during(
    async ({ stop }) => {
      const queue = await EmbeddedQueue.start(folder, port, count);
      const urlFile = join(folder, URL_FILE);
      const workers: FarmWorker[] = [];
      try {
        const onMessage = (line: string): void => void writeStandardOutput(`${line}\n`).catch(() => {});
        for (let i = 0; i < count && !stop.aborted; i++) {
          workers.push(await FarmWorker.start({ url: queue.url, roots: { file: root, s3 }, threads, onMessage }));
        }
        await writeFile(urlFile, `${queue.url}\n`, { mode: SECRET_MODE });
        const what = `the farm is up with ${counted(count, 'worker')}`;
        await writeStandardOutput(`${what}; Ctrl-C ends it\n${queue.url}\n`);
        await Promise.race([aborted(stop), queue.lost, ...workers.map(worker => worker.refused)]);
      } finally {
        await rm(urlFile, { force: true });
        await Promise.all(workers.map(worker => worker.stop(GRACE_MS)));
        await queue.close();
      }
    },
    `stopping: what runs may end within ${GRACE_MS / 1000} s, then it is given back; the queue keeps its jobs`,
  );
}
