// Runs cases in a process of their own, with a watchdog: a case that does not end is a failure like any other.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CaseReply, CaseTask } from './case-messages.js';

/** Of what the process prints, the end: it says why it died. */
const KEPT_CHARACTERS = 2000;

/** The built case-worker.ts beside this file. */
const WORKER = fileURLToPath(new URL('./case-worker.js', import.meta.url));

/** Runs one case at a time. The process is started again after a case that has killed it, or that it hung in. */
export class CaseProcess {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mpegpu-fuzz-'));
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #printed = '';
  #cases = 0;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
    process.on('exit', this.#kill);
  }

  async run(task: Omit<CaseTask, 'folder'>, limitSeconds: number): Promise<CaseReply> {
    const folder = join(this.#folder, String(this.#cases++));
    mkdirSync(folder);
    try {
      const reply = await this.#reply({ ...task, folder }, limitSeconds);
      // What the case has left behind must not spoil the next one.
      if ('failure' in reply || reply.isFull) this.#kill();
      return reply;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  close(): void {
    this.#kill();
    process.off('exit', this.#kill);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #reply(task: CaseTask, limitSeconds: number): Promise<CaseReply> {
    const child = this.#start();
    return new Promise(resolve => {
      const done = (reply: CaseReply) => {
        clearTimeout(watchdog);
        child.removeAllListeners();
        resolve(reply);
      };
      const watchdog = setTimeout(() => {
        this.#kill();
        done({ failure: `hangs: it has not ended after ${limitSeconds} s` });
      }, 1000 * limitSeconds);
      child.on('message', reply => done(reply as CaseReply));
      child.on('exit', (status, signal) => {
        this.#child = undefined;
        done({ failure: `its process ended with ${signal ?? `status ${status}`}: ${this.#printed}` });
      });
      child.send(task);
    });
  }

  #start(): ChildProcess {
    if (this.#child) return this.#child;
    // A group of its own, so that ffmpeg and others that a case has started are ended with it.
    const options = { env: this.#environment, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] } as const;
    const child = fork(WORKER, { ...options, stdio: [...options.stdio] });
    this.#printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes: Buffer) => {
        this.#printed = `${this.#printed}${bytes}`.slice(-KEPT_CHARACTERS);
      });
    }
    this.#child = child;
    return child;
  }

  readonly #kill = (): void => {
    const { pid } = this.#child ?? {};
    this.#child?.removeAllListeners();
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {} // it has ended by itself
  };
}
