// Packs what is known of a picture's macroblocks for the report's viewer.
import type { CodedMacroblocks } from '../../../bitstream/reading/coded-macroblocks.js';
import type { SearchedField } from '../../comparison/searched-fields.js';

/** Arguments of a call, which every engine accepts; base64 has 4 letters for every 3 bytes, so pieces can be joined. */
const BYTES_AT_A_TIME = 3 << 12;

/**
 * Packs the n macroblocks of a picture in raster order, little-endian:
 *
 *     | types: n bytes | directions: n | scales: n | bits: 2n | forward dx: 2n | forward dy: 2n | backward dx, dy |
 *
 * They are those of `CodedMacroblocks`. Only B pictures have backward vectors. Returns the bytes, deflated without a
 * header, in base64.
 */
export async function packMacroblocks(macroblocks: CodedMacroblocks): Promise<string> {
  const { type, types, directions, scales, bits, forward, backward } = macroblocks;
  const count = types.length;
  const planes = type === 'B' ? [forward.dx, forward.dy, backward.dx, backward.dy] : [forward.dx, forward.dy];
  const bytes = new Uint8Array(count * (5 + 2 * planes.length));
  for (const [i, plane] of [types, directions, scales].entries()) bytes.set(plane, i * count);
  const view = new DataView(bytes.buffer);
  for (const [address, value] of bits.entries()) view.setUint16(3 * count + 2 * address, value, true);
  for (const [i, plane] of planes.entries()) {
    for (const [address, value] of plane.entries()) view.setInt16(count * (5 + 2 * i) + 2 * address, value, true);
  }
  return base64(await deflate(bytes));
}

/**
 * Packs the best vectors of a field in full pels, little-endian: `| dx: 2n bytes | dy: 2n |`. Returns the bytes,
 * deflated without a header, in base64; '' for no field.
 */
export async function packSearched(field: SearchedField | undefined): Promise<string> {
  if (!field) return '';
  const count = field.dx.length;
  const view = new DataView(new ArrayBuffer(4 * count));
  for (const [axis, plane] of [field.dx, field.dy].entries()) {
    for (const [address, component] of plane.entries()) view.setInt16(2 * (axis * count + address), component, true);
  }
  return base64(await deflate(new Uint8Array(view.buffer)));
}

/** Text as bytes, deflated without a header, in base64. */
export async function packText(text: string): Promise<string> {
  return base64(await deflate(new TextEncoder().encode(text)));
}

/** Bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BYTES_AT_A_TIME) {
    const part = bytes.subarray(at, at + BYTES_AT_A_TIME) as Iterable<number> as number[];
    text += btoa(String.fromCharCode.apply(undefined, part));
  }
  return text;
}

/** `deflate-raw` is not in Node before 20.12: `deflate` has a header of 2 bytes and a checksum of 4 around the same. */
async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer()).subarray(2, -4);
}
