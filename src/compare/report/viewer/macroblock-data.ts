// Packs the types and vectors of a picture's macroblocks for the report's viewer.
import type { VectorReport } from '../../../encoder/report/picture-report.js';
import type { SearchedField } from '../../comparison/searched-fields.js';

/**
 * Packs the n macroblocks of a picture in raster order, little-endian:
 *
 *     | types: n bytes | forward dx: 2n | forward dy: 2n | backward dx: 2n | backward dy: 2n |
 *
 * Types are those of `PictureReport.macroblockTypes`. Vectors are in half-pels, 0 if there is none. Only B pictures
 * have backward vectors. Returns the bytes, deflated without a header, in base64.
 */
export async function packMacroblocks(vectors: VectorReport, macroblockTypes: Uint8Array): Promise<string> {
  const directions = vectors.type === 'B' ? [vectors.forward, vectors.backward] : [vectors.forward];
  const count = macroblockTypes.length;
  const bytes = new Uint8Array(count * (1 + 4 * directions.length));
  bytes.set(macroblockTypes);
  const view = new DataView(bytes.buffer);
  for (const [i, direction] of directions.entries()) {
    for (const axis of [0, 1]) {
      const start = count * (1 + 4 * i + 2 * axis);
      for (const [address, vector] of direction.entries()) {
        view.setInt16(start + 2 * address, vector?.[axis] ?? 0, true);
      }
    }
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
  let binary = '';
  const step = 1 << 15; // every engine accepts this many arguments
  for (let at = 0; at < bytes.length; at += step) binary += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(binary);
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
