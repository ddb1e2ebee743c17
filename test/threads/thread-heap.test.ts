// Which threads have a larger heap, and which collect arrays sooner: of those that the package ships.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { heapOf } from '../../src/threads/node/thread-heap.js';

it('more is kept in the threads that others wait for, and less in coder threads', () => {
  const entries = readdirSync(fileURLToPath(new URL('../../dist/package', import.meta.url))).filter(name =>
    name.endsWith('-worker.js'),
  );
  const heaps = entries.map(name => {
    const { youngGenerationMib, maxMoreArrayBytes } = heapOf(`/package/${name}`);
    return [name, [youngGenerationMib, maxMoreArrayBytes / 2 ** 20]];
  });
  expect(Object.fromEntries(heaps)).toEqual({
    'analysis-worker.js': [3, 4],
    'coder-worker.js': [3, 2],
    'estimator-worker.js': [12, 8],
    'lookahead-worker.js': [12, 8],
  });
});
