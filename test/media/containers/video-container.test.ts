// The writers that the core exports make the files that Node writes.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import {
  createContainerWriter,
  VIDEO_CONTAINERS,
  type VideoContainer,
} from '../../../src/media/containers/video-container.js';
import { VideoWriter } from '../../../src/media/output/video-writer.js';
import { unitsOfSizes } from './random-units.js';

const PAL = { width: 352, height: 288, frameRate: 25 };
const VIDEO = { ...PAL, frameRate: { numerator: 25, denominator: 1 } };

it.each(VIDEO_CONTAINERS)('%s is the file that VideoWriter writes', async container => {
  const units = unitsOfSizes(new Array(9).fill({ anchor: 5000, between: [300, 200] }));
  const writer = createContainerWriter(container, PAL);
  const made = Buffer.concat([...units.flatMap(unit => writer.write(unit)), ...writer.end()]);
  const folder = await mkdtemp(join(tmpdir(), 'mpegpu-writer-'));
  const path = join(folder, `out.${container}`);
  const file = await VideoWriter.open(path, VIDEO);
  for (const unit of units) await file.write(unit);
  await file.finish();
  expect(made.equals(await readFile(path))).toBe(true);
  await rm(folder, { recursive: true });
});

it('refuses another container, rate or size, and sound in a bare stream', () => {
  const sound = { sampleRate: 48_000, channels: 2, bitRate: 192_000 } as const;
  const refusal = (container: string, format: object) => {
    expect(() => createContainerWriter(container as VideoContainer, { ...PAL, ...format })).toThrow(
      expect.objectContaining({ name: 'OptionError' }),
    );
  };
  refusal('mp4', {});
  refusal('ts', { frameRate: 26 });
  refusal('mpg', { frameRate: undefined });
  refusal('mpg', { width: 0 });
  refusal('ts', { height: 0.5 });
  refusal('m1v', { sound });
  refusal('ts', { sound: { ...sound, sampleRate: 22_050 } });
  refusal('ts', { sound: { ...sound, channels: 3 } });
  refusal('mpg', { sound: { ...sound, bitRate: 7 } });
  refusal('mpg', { sound: { ...sound, channels: 1, bitRate: 224_000 } });
  refusal('mpg', { sound: { ...sound, bitRate: 56_000 } });
  refusal('mpg', { sound: {} });
  refusal('mpg', { sound: null });
  refusal('ts', { startTicks: -1 });
  refusal('mpg', { layout: 'vcd' });
  expect(() => createContainerWriter('ts', undefined as never)).toThrow('width undefined is not a whole number');
  expect(() => createContainerWriter('ts', { ...PAL, frameRate: { numerator: 5, denominator: 1 } })).toThrow(
    /^frameRate \{"numerator":5,"denominator":1\} is not one of MPEG-1's rates; legal: /,
  );
  expect(() => createContainerWriter('mgp' as VideoContainer, PAL)).toThrow(
    "container 'mgp' does not exist (did you mean mpg?); legal: mpg, ts, m1v",
  );
});

it.each([
  ['mpg', {}],
  ['mpg', { layout: 'video-cd' }],
  ['ts', {}],
  ['m1v', {}],
] as const)('all writers say what they take where they get something else: %s %o', async (container, layout) => {
  const folder = await mkdtemp(join(tmpdir(), 'mpegpu-writer-'));
  const file = await VideoWriter.open(join(folder, `out.${container}`), { ...VIDEO, ...layout });
  const writer = createContainerWriter(container, { ...PAL, ...layout });
  const [unit] = unitsOfSizes([{ anchor: 5000, between: [] }]);
  const { data } = unit!;
  const others = [
    { data: 'text' },
    { data: new DataView(data.buffer) },
    { pictureType: 'D' },
    { codedNumber: undefined },
  ];
  for (const wrong of [data, undefined, [unit], ...others.map(other => ({ ...unit, ...other }))]) {
    const error = { name: 'InputError', message: 'write takes the access units of an encoder, whole' };
    await expect(file.write(wrong as AccessUnit)).rejects.toThrow(expect.objectContaining(error));
    expect(() => writer.write(wrong as AccessUnit)).toThrow(expect.objectContaining(error));
  }
  await file.discard();
  await rm(folder, { recursive: true });
});
