// Tests of choosing a container by the file's name.
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import {
  CONTAINER_EXTENSIONS,
  containerForPath,
  copySourceExtension,
} from '../../../src/media/containers/container.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';
import { ElementaryStreamWriter } from '../../../src/media/containers/elementary-stream.js';
import { ProgramStreamWriter } from '../../../src/media/containers/program-stream.js';
import { TransportStreamWriter } from '../../../src/media/containers/transport-stream.js';
import { unitsOfSizes } from './random-units.js';

const FORMAT: StreamFormat = {
  frameRate: { numerator: 25, denominator: 1 },
  width: 352,
  height: 288,
  startTicks: undefined,
};

describe('containerForPath', () => {
  it.each([
    ['out.m1v', ElementaryStreamWriter, undefined],
    ['a.b/out.mpv', ElementaryStreamWriter, undefined],
    ['out.mpg', ProgramStreamWriter, undefined],
    ['OUT.MPEG', ProgramStreamWriter, undefined],
    ['out.x.ts', TransportStreamWriter, undefined],
    ['out.mp4', TransportStreamWriter, '.ts'],
    ['out.mkv', TransportStreamWriter, '.ts'],
    ['out.mov', TransportStreamWriter, '.ts'],
    ['out.avi', ElementaryStreamWriter, '.m1v'],
  ] as const)('%s', (path, Writer, copySource) => {
    const container = containerForPath(path, FORMAT);
    expect(container.writer).toBeInstanceOf(Writer);
    expect(container.copySource).toBe(copySource);
  });

  it.each(['out.webm', 'out', '.mpg', 'folder.mpg/out'])('refuses %s and lists the legal endings', path => {
    const attempt = () => containerForPath(path, FORMAT);
    expect(attempt).toThrow(OptionError);
    for (const extension of CONTAINER_EXTENSIONS) expect(attempt).toThrow(extension);
    expect(attempt).toThrow(path);
  });

  it('refuses a name that is no text, another layout, and no format', () => {
    const refused = (...given: readonly unknown[]) =>
      expect(() => containerForPath(...(given as Parameters<typeof containerForPath>)));
    refused(Buffer.from('a.ts'), FORMAT).toThrow(/^output \{.* is not the name of a file$/);
    refused('a.ts').toThrow('width undefined is not a whole number of 1 or more pels');
    refused('a.mpg', { ...FORMAT, layout: 'vcd' }).toThrow("layout 'vcd' does not exist; legal: video-cd");
    expect(() => copySourceExtension(undefined as never)).toThrow('output undefined is not the name of a file');
  });
});

describe('ElementaryStreamWriter', () => {
  it('hands the access units on as they are, and ends the sequence once', () => {
    const units = unitsOfSizes([
      { anchor: 300, between: [] },
      { anchor: 40, between: [20, 30] },
      { anchor: 40, between: [] }, // which ends the sequence itself
    ]).slice(0, -1);
    const writer = new ElementaryStreamWriter();
    const end = Uint8Array.of(0, 0, 1, 0xb7);
    const written = units.flatMap(unit => writer.write(unit));
    expect(written).toEqual(units.map(({ data }) => data));
    expect(writer.end()).toEqual([end]);
    writer.write({ ...units[0]!, data: Buffer.concat([units[0]!.data, end]) });
    expect(writer.end()).toEqual([]);
  });

  it('gives an end that may be handed over: that of the next stream is whole', () => {
    const end = () => {
      const writer = new ElementaryStreamWriter();
      writer.write({ data: Uint8Array.of(0, 0, 1, 0), pictureType: 'I', displayNumber: 0, codedNumber: 0 });
      return writer.end();
    };
    const [first] = end();
    structuredClone(first, { transfer: [first!.buffer] });
    expect(end()).toEqual([Uint8Array.of(0, 0, 1, 0xb7)]);
  });
});
