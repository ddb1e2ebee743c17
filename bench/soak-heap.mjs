// What the garbage collectors of a process hold: each thread has one of its own.
// Loaded into every thread by `node --expose-gc --import`; the other threads tell the main thread what they hold.
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread, threadId } from 'node:worker_threads';

const INTERVAL_MS = 500;

/** In the main thread: what each other thread has told last. */
const otherThreads = new Map();
const channel = new BroadcastChannel('mpegpu-soak-heap');

if (isMainThread) channel.onmessage = ({ data: { id, heap } }) => otherThreads.set(id, heap);
else setInterval(() => channel.postMessage({ id: threadId, heap: collectedHeap() }), INTERVAL_MS).unref();
channel.unref();

/**
 * What all threads hold after a garbage collection, the others up to half a second ago. `youngBytes` is the memory of
 * their young generations, used or not: V8 lets each grow to 32 MiB and seldom gives it back, so it is no leak.
 */
export function heapOfAllThreads() {
  const heaps = [collectedHeap(), ...otherThreads.values()];
  const sum = key => heaps.reduce((bytes, heap) => bytes + heap[key], 0);
  return { heapBytes: sum('heapBytes'), bufferBytes: sum('bufferBytes'), youngBytes: sum('youngBytes') };
}

/** What this thread holds after a garbage collection. */
function collectedHeap() {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return { heapBytes: heapUsed, bufferBytes: arrayBuffers, youngBytes: young.physical_space_size };
}
