// The process that asks the drivers: what it prints is kept, and its death is an answer. Faults come by NODE_OPTIONS.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { askDrivers } from '../../../src/gpu/device/driver-answer.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();

/** Variables with which the process runs `code` before all else. */
function running(code: string): { readonly NODE_OPTIONS: string } {
  const file = join(folder, 'first.cjs');
  writeFileSync(file, code);
  return { NODE_OPTIONS: `--require ${file}` };
}

it('keeps each line that is printed, once', async () => {
  const answer = await askDrivers(running(String.raw`require('node:fs').writeSync(2, 'error: one\n\ntwo  \ntwo\n');`));
  expect(answer?.messages.slice(0, 2)).toEqual(['error: one', 'two']);
  expect(answer?.messages.filter(line => line === 'two').length).toBe(1);
  expect(answer?.report).toHaveProperty('adapters');
});

it('a driver that crashes is a reason, and what it printed is kept', async () => {
  const crash = String.raw`require('node:fs').writeSync(2, 'bad\n'); process.kill(process.pid, 'SIGSEGV');`;
  expect(await askDrivers(running(crash))).toEqual({
    report: { adapters: [], reason: expect.stringMatching(/drivers end the process .*SIGSEGV/) },
    messages: ['bad'],
  });
});

it('a process that ends without an answer says nothing about the drivers', async () => {
  expect(await askDrivers(running('process.exit(3);'))).toBeUndefined();
  expect(await askDrivers(running(`process.kill(process.pid, 'SIGINT'); setTimeout(() => {}, 5000);`))).toBeUndefined();
});
