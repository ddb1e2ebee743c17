// Tests of reading and writing .flo files.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFlo, encodeFlo } from '../../../src/media/maps/flo-format.js';
import { isKnownFlow } from '../../../src/media/maps/flow.js';

describe('.flo', () => {
  it('has the bytes that Middlebury gives', () => {
    const bytes = encodeFlo({ width: 2, height: 1, u: Float32Array.of(1.5, -2), v: Float32Array.of(0, 1e10) });
    const pels = [0x00, 0x00, 0xc0, 0x3f, 0, 0, 0, 0, 0x00, 0x00, 0x00, 0xc0, 0xf9, 0x02, 0x15, 0x50];
    expect([...bytes]).toEqual([0x50, 0x49, 0x45, 0x48, 2, 0, 0, 0, 1, 0, 0, 0, ...pels]);
    // The tag is also the number 202021.25, by which other programs know the byte order.
    expect(new DataView(bytes.buffer).getFloat32(0, true)).toBe(202021.25);
  });

  it('comes back as it was', () => {
    const flows = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).chain(([width, height]) => {
      const plane = fc.float32Array({ minLength: width * height, maxLength: width * height });
      return fc.record({ width: fc.constant(width), height: fc.constant(height), u: plane, v: plane });
    });
    fc.assert(
      fc.property(flows, flow => {
        // At an odd offset, as a part of a larger buffer may lie.
        const bytes = encodeFlo(flow);
        const shifted = new Uint8Array(bytes.length + 1).subarray(1);
        shifted.set(bytes);
        expect(decodeFlo('a.flo', shifted)).toEqual(flow);
      }),
      { seed: 9 },
    );
  });

  it('says what is not known', () => {
    expect(isKnownFlow(1e9, -1e9)).toBe(true);
    expect(isKnownFlow(1.1e9, 0)).toBe(false);
    expect(isKnownFlow(0, -1.1e9)).toBe(false);
    expect(isKnownFlow(Number.NaN, 0)).toBe(false);
  });

  const good = encodeFlo({ width: 2, height: 2, u: new Float32Array(4), v: new Float32Array(4) });
  const withWidth = (width: number) => {
    const bytes = good.slice();
    new DataView(bytes.buffer).setInt32(4, width, true);
    return bytes;
  };
  it.each<[string, Uint8Array, RegExp]>([
    ['an empty file', new Uint8Array(), /^a\.flo is not a \.flo file/],
    ['a text', new TextEncoder().encode('flow of a whale'), /^a\.flo is not a \.flo file/],
    ['a cut header', good.subarray(0, 9), /^a\.flo ends within its header/],
    ['a file cut short', good.subarray(0, 43), /^a\.flo has 43 bytes, not the 44 of a flow of 2x2/],
    ['a file too long', Uint8Array.of(...good, 0), /has 45 bytes, not the 44/],
    ['no width', withWidth(0), /says that its flow is 0x2/],
    ['a width that is too large', withWidth(2 ** 30), /has 44 bytes, not the 17179869196/],
  ])('refuses %s', (_, bytes, says) => {
    expect(() => decodeFlo('a.flo', bytes)).toThrow(says);
  });
});
