// An output that cannot be completed takes the other outputs of the run with it.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import { packagedFfmpeg } from '../../support/decoders.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { listing, runCliHere } from '../run-cli.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
/** What ffmpeg prints, and how it ends, when the disk is full. The last argument is the name of the output. */
const FULL_DISK = `#!/bin/sh
for output; do :; done
case "$*" in *-map*) ;; *) exec '${packagedFfmpeg()}' "$@" ;; esac
echo "[mp4 @ 0x5555] [error] $output: No space left on device" >&2
exit 1
`;

beforeAll(async () => {
  const sample = generateSample({ kind: 'pan', width: 32, height: 32, frames: 2, seed: 5 });
  await writeY4m(at('in.y4m'), sample, 25, () => {});
  writeFileSync(at('ffmpeg'), FULL_DISK);
  chmodSync(at('ffmpeg'), 0o755);
  writeFileSync(at('old.y4m'), 'old');
});

afterEach(() => vi.unstubAllEnvs());

it.runIf(process.platform !== 'win32')('a disk that is full while ffmpeg copies', async () => {
  vi.stubEnv('FFMPEG_PATH', at('ffmpeg'));
  const before = listing(folder);
  const outputs = ['-o', 'out.mp4', '--recon', 'old.y4m', '--vectors', 'out.jsonl', '--overwrite'];
  const run = await runCliHere(['encode', 'in.y4m', ...outputs, '--estimator', 'zero'], { cwd: folder });
  expect(run.stderr).toMatch(/^mpegpu: out\.mp4 cannot be written: the disk is full\n$/);
  expect(run.stderr).not.toContain('.mpegpu-');
  expect(run.status).toBe(1);
  expect(listing(folder)).toEqual(before);
  expect(readFileSync(at('old.y4m'), 'latin1')).toBe('old');
});
