// What an analysis thread answers does not depend on when it is asked.
import { expect, it } from 'vitest';
import { generateSample } from '../../../../samples/generate.js';
import type { AnalysisTasks } from '../../../../src/encoder/lookahead/thread/analysis-tasks.js';
import { analysisWork } from '../../../../src/encoder/lookahead/thread/analysis-work.js';
import { entriesFor, SharedSteps } from '../../../../src/encoder/lookahead/thread/shared-steps.js';
import { resolveOptions } from '../../../../src/encoder/settings/resolve-options.js';
import { pictureFromFrame } from '../../../../src/picture/picture.js';

const SIZE = { width: 64, height: 48 };
const START_DISTANCE = 2;

/** The tasks of a thread that searches, ready for questions. */
async function openTasks(): Promise<AnalysisTasks> {
  const options = { ...resolveOptions({ ...SIZE, frameRate: 25, q: 6, estimator: 'cpu-predictive' }) };
  const entries = entriesFor(1, START_DISTANCE);
  const { tasks } = analysisWork({
    options,
    searcher: 'cpu-predictive',
    mostRead: 2,
    steps: { memory: SharedSteps.memory({ grid: options.grid, entries }), entries },
  });
  await tasks.open();
  return tasks;
}

it('questions that come together are answered as questions that wait for each other', async () => {
  const { grid } = resolveOptions({ ...SIZE, frameRate: 25, q: 6 });
  const { codedWidth: width, codedHeight: height } = grid;
  const frames = [...generateSample({ kind: 'zoom', ...SIZE, frames: 8, seed: 2 })];
  const pictures = frames.map((frame, id) => ({ id, width, height, pels: pictureFromFrame(id, frame, grid).y }));
  const questions = pictures.map((current, i) => ({
    current,
    before: pictures[i - 1],
    field: undefined,
    startFrom: i > START_DISTANCE ? i - START_DISTANCE : undefined,
    start: undefined,
  }));
  const [one, other] = [await openTasks(), await openTasks()];
  const together = await Promise.all(questions.map(question => one.arrival(question)));
  const inTurn = [];
  for (const question of questions) inTurn.push(await other.arrival(question));
  expect(together).toEqual(inTurn);
  expect(new Set(inTurn.map(({ step }) => step?.error)).size).toBeGreaterThan(4);
});
