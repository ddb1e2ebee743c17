// A hand of a worker beside its queue.
import { expect, it } from 'vitest';
import type { JobRecord } from '../../../src/farm/jobs/farm-step.js';
import type { StepJob } from '../../../src/farm/queue/farm-queue.js';
import { Hand } from '../../../src/farm/worker/hand.js';

const MACHINE = { roots: {}, scratch: '/nowhere' };

/** A hand whose queue has no steps, and what it has told the taker to do. */
function idleHand(queueIsThere: boolean, record?: object): { readonly hand: Hand; readonly told: string[] } {
  const hand = new Hand(MACHINE, {
    recordOf: async () => record as JobRecord | undefined,
    queueAnswers: async () => queueIsThere,
    stallMs: 1000,
    onWarning: () => {},
  });
  const told: string[] = [];
  hand.taker = {
    pause: async () => void told.push('pause'),
    resume: async () => void told.push('resume'),
    close: async (isForced: boolean) => void told.push(isForced ? 'leave' : 'close'),
  } as unknown as NonNullable<Hand['taker']>;
  return { hand, told };
}

it('rests and goes on, but not after it was stopped', async () => {
  const { hand, told } = idleHand(true);
  await hand.restFor(1);
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(told).toEqual(['pause', 'resume']);
  const stopping = hand.stop(0);
  await hand.restFor(1); // of a step that has failed meanwhile
  await stopping;
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(told.slice(2)).toEqual(['pause', 'pause', 'close']);
});

it('does not go on when it is stopped while it rests', async () => {
  const { hand, told } = idleHand(true);
  await hand.restFor(1);
  await hand.stop(0);
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(told).toEqual(['pause', 'pause', 'close']);
});

it('waits for a queue that answers, and leaves one that does not', async () => {
  const { hand, told } = idleHand(false);
  await hand.stop(0);
  expect(told).toEqual(['pause', 'leave']);
});

it('does no step of a job that is over, and none once it stops', async () => {
  const step = { name: 'plan', data: {} } as StepJob;
  const run = async (record?: object, isStopped = false) => {
    const { hand } = idleHand(true, record);
    if (isStopped) await hand.stop(0);
    return hand.run(step, () => {});
  };
  await expect(run()).rejects.toMatchObject({ name: 'JobIsOver', message: 'the job is not there any more' });
  const ended = { state: 'cancelled', reason: 'cancelled by a user' };
  await expect(run({ ended })).rejects.toMatchObject({ name: 'JobIsOver', message: 'the job was cancelled' });
  await expect(run({ request: {} }, true)).rejects.toMatchObject({ name: 'GivenBack' });
});
