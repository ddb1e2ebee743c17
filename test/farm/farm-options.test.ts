// Options of a farm and its workers that do not exist: refused before a queue is asked.
import { expect, it } from 'vitest';
import { Farm } from '../../src/farm/farm-client.js';
import { FarmWorker } from '../../src/farm/worker/worker.js';

const NOWHERE = { url: 'redis://127.0.0.1:1' };

it('a farm refuses them by name', async () => {
  const options = { ...NOWHERE, que: 'films' };
  await expect(Farm.open(options)).rejects.toMatchObject({
    name: 'OptionError',
    message: "the option 'que' does not exist; did you mean queue?",
  });
});

it('a worker refuses them by name', async () => {
  const options = { ...NOWHERE, roots: {}, stallSecond: 5 };
  await expect(FarmWorker.start(options)).rejects.toMatchObject({
    name: 'OptionError',
    message: "the option 'stallSecond' does not exist; did you mean stallSeconds?",
  });
});
