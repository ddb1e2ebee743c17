#!/usr/bin/env node
// The executable `mpegpu`.
import { runCommandLine } from './command-line.js';
import { INTERRUPTED } from './failure.js';

/** An interrupted command has this long to let go of what it was doing. */
const LETTING_GO_MS = 500;

process.exitCode = await runCommandLine(process.argv.slice(2));
if (process.exitCode === INTERRUPTED) {
  // What cannot be cancelled may keep the process alive, such as opening a pipe that nobody writes. process.exit would
  // wait for that, too, and WebGPU crashes in it while a GPU works. The signal ends all of it; a shell reports 130.
  setTimeout(() => {
    process.removeAllListeners('SIGINT');
    process.kill(process.pid, 'SIGINT');
  }, LETTING_GO_MS).unref();
}
