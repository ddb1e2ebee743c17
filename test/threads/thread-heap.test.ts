// Tests of which threads have a larger heap: those that the package ships for the lookahead and for searches.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { heapOf } from '../../src/threads/node/thread-heap.js';

it('the heap is larger in the threads that others wait for', () => {
  const entries = readdirSync(fileURLToPath(new URL('../../dist/package', import.meta.url))).filter(name =>
    name.endsWith('-worker.js'),
  );
  const isLarger = entries.map(name => [name, heapOf(`/package/${name}`).youngGenerationMib > 3]);
  expect(Object.fromEntries(isLarger)).toEqual({
    'analysis-worker.js': false,
    'coder-worker.js': false,
    'estimator-worker.js': true,
    'lookahead-worker.js': true,
  });
});
