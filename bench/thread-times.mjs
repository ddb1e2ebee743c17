// Says what each thread of this process takes; Linux alone. `node --import` loads it into every thread.
//
// A thread that waits for a GPU polls: Dawn's binding for Node asks again by `setImmediate`, without a pause. That time
// is counted for itself, since such a thread is busy all the time and is late all the same only if it does more.
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { getEnvironmentData, isMainThread, setEnvironmentData, workerData } from 'node:worker_threads';

const KEY = 'mpegpu.threadTimes';
/** Slots are not used again: a bench starts threads anew for every round. */
const MAX_THREADS = 1024;
/** A thread's number, its name's length and the name, then the milliseconds of its polls. */
const NAME_BYTES = 48;
const SLOT_BYTES = 64;
const NAME_AT = 8;
const POLLING_AT = NAME_AT + NAME_BYTES;

/** The number of slots that are taken, then the slots. */
const shared = isMainThread ? new SharedArrayBuffer(8 + MAX_THREADS * SLOT_BYTES) : getEnvironmentData(KEY);
if (isMainThread) setEnvironmentData(KEY, shared);
const taken = new Int32Array(shared, 0, 1);

const slotAt = index => {
  const first = 8 + index * SLOT_BYTES;
  return {
    head: new Int32Array(shared, first, 2),
    name: new Uint8Array(shared, first + NAME_AT, NAME_BYTES),
    pollingMs: new Float64Array(shared, first + POLLING_AT, 1),
  };
};

/** Takes a slot for the calling thread, and times its polls. */
function register() {
  const { head, name, pollingMs } = slotAt(Atomics.add(taken, 0, 1));
  const ownName = new TextEncoder().encode(isMainThread ? 'main' : basename(String(workerData), '.js'));
  name.set(ownName.subarray(0, NAME_BYTES));
  head[1] = Math.min(ownName.length, NAME_BYTES);
  head[0] = Number(basename(readlinkSync('/proc/thread-self')));
  if (isMainThread) return;
  // A search thread sleeps before a poll where no answer comes soon: that takes no processor time.
  let sleptMs = 0;
  const { wait } = Atomics;
  Atomics.wait = (...args) => {
    const startMs = performance.now();
    const outcome = wait(...args);
    sleptMs += performance.now() - startMs;
    return outcome;
  };
  const usual = globalThis.setImmediate;
  const timed = (callback, ...args) =>
    usual(() => {
      const startMs = performance.now() - sleptMs;
      callback(...args);
      pollingMs[0] += performance.now() - sleptMs - startMs;
    });
  globalThis.setImmediate = Object.assign(timed, usual);
}

/**
 * The processor time of each thread of Node so far, its polls included, and the time of its polls alone, in
 * milliseconds. Threads that have ended are left out.
 */
export function threadTimes() {
  return Array.from({ length: Atomics.load(taken, 0) }, (_, index) => {
    const { head, name, pollingMs } = slotAt(index);
    const cpuMs = cpuMsOf(head[0]);
    return cpuMs === undefined
      ? []
      : [{ thread: head[0], name: String.fromCharCode(...name.slice(0, head[1])), cpuMs, pollingMs: pollingMs[0] }];
  }).flat();
}

/** The kernel counts it in nanoseconds. */
function cpuMsOf(thread) {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

register();
