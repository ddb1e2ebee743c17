// Tests of the flow PNG of KITTI, and of reading flow by the ending of a name.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePng16, encodePng16 } from '../../../src/media/images/png16.js';
import { encodeFlo } from '../../../src/media/maps/flo-format.js';
import { isKnownFlow } from '../../../src/media/maps/flow.js';
import { decodeKittiFlow, encodeKittiFlow } from '../../../src/media/maps/kitti-flow.js';
import { readFlow } from '../../../src/media/maps/read-flow.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

/** The checksum of a chunk (ISO/IEC 15948, annex D): CRC-32 of its type and its data. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A PNG of 2x2 pels, 16 bits, RGB, made byte by byte (ISO/IEC 15948): each row is filter 0 and six bytes a pel. */
function handMadePng(rows: readonly (readonly number[])[]): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const bytes = Buffer.alloc(12 + data.length);
    bytes.writeUInt32BE(data.length, 0);
    bytes.write(type, 4, 'latin1');
    bytes.set(data, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
    return bytes;
  };
  const header = Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 2, 16, 2, 0, 0, 0);
  const pels = Uint8Array.from(rows.flatMap(row => [0, ...row]));
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pels)), chunk('IEND', new Uint8Array())];
  return Buffer.concat([signature, ...chunks]);
}

describe('the flow PNG of KITTI', () => {
  // u, v and whether they are known, two bytes each, the high one first. 0x8000 is 0, a pel is 0x40.
  const bytes = handMadePng([
    [0x80, 0x00, 0x80, 0x00, 0, 1, /**/ 0x80, 0x60, 0x7f, 0xff, 0, 1],
    [0x00, 0x00, 0xff, 0xff, 0, 1, /**/ 0x12, 0x34, 0x56, 0x78, 0, 0],
  ]);

  it('is read as the development kit says', async () => {
    const flow = await decodeKittiFlow('a.png', bytes);
    expect([flow.width, flow.height]).toEqual([2, 2]);
    expect([...flow.u.subarray(0, 3)]).toEqual([0, 1.5, -512]);
    expect([...flow.v.subarray(0, 3)]).toEqual([0, -1 / 64, 511.984375]);
    expect(isKnownFlow(flow.u[3]!, flow.v[3]!)).toBe(false);
  });

  it('is written with the same numbers, and with 0 where the motion is unknown', async () => {
    const written = await encodeKittiFlow(await decodeKittiFlow('a.png', bytes));
    const { samples } = await decodePng16('b.png', written, 3);
    const known = [0x8000, 0x8000, 1, 0x8060, 0x7fff, 1, 0, 0xffff, 1];
    expect([...samples]).toEqual([...known, 0, 0, 0]);
  });

  it('comes back as it was, to 1/64 pel', async () => {
    const component = fc.integer({ min: -32768, max: 32767 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(component, component), { minLength: 1, maxLength: 20 }), async vectors => {
        const plane = (i: 0 | 1) => Float32Array.from(vectors, vector => vector[i] / 64);
        const flow = { width: vectors.length, height: 1, u: plane(0), v: plane(1) };
        expect(await decodeKittiFlow('a.png', await encodeKittiFlow(flow))).toEqual(flow);
      }),
      { seed: 64, numRuns: 20 },
    );
    const { u } = await decodeKittiFlow(
      'a.png',
      await encodeKittiFlow({ width: 1, height: 1, u: Float32Array.of(0.3), v: Float32Array.of(0) }),
    );
    expect(u[0]).toBe(19 / 64);
  });

  it.each([-512.01, 512])('refuses to write a component of %d pels', async component => {
    const flow = { width: 1, height: 1, u: Float32Array.of(0), v: Float32Array.of(component) };
    await expect(encodeKittiFlow(flow)).rejects.toThrow(/holds motion of -512 to 511\.98 pels a component, not /);
  });
});

describe('readFlow', () => {
  const folder = temporaryFolder();
  const file = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };

  it('is told by its ending, in capitals too, from a .flo file of any name', async () => {
    const flow = { width: 1, height: 1, u: Float32Array.of(-2.5), v: Float32Array.of(7) };
    for (const path of [file('a', encodeFlo(flow)), file('a.PNG', await encodeKittiFlow(flow))]) {
      expect([path, await readFlow(path)]).toEqual([path, flow]);
    }
  });

  it('refuses what is neither', async () => {
    const path = file('flow.txt', new Uint8Array());
    await expect(readFlow(path)).rejects.toMatchObject({
      name: 'InputError',
      message: `${path} is not a .flo file: it does not start with PIEH; KITTI's flow is read from .png`,
    });
  });

  it('refuses a PNG of gray', async () => {
    const path = file('gray.png', await encodePng16({ width: 1, height: 1, channels: 1, samples: new Uint16Array(1) }));
    await expect(readFlow(path)).rejects.toThrow(`${path} is a PNG of 16 bits and 1 channel; one of 16 bits and 3`);
  });
});
