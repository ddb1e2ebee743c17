// BMP files that tests make.

/** What is in a BMP file. */
interface BmpParts {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  /** Entries B, G, R, 0. */
  palette?: number[];
  masks?: number[];
  colours?: number;
  /** What stands in the file after the headers and tables. */
  data: ArrayLike<number>;
}

/** A BMP file with a 40-byte header, or a 56-byte one where four masks are given. */
export function bmp({
  width,
  height,
  bits,
  compression = 0,
  palette = [],
  masks = [],
  colours = 0,
  data,
}: BmpParts): Buffer {
  const infoBytes = masks.length === 4 ? 56 : 40;
  const head = Buffer.alloc(14 + 40);
  head.write('BM', 'latin1');
  const tables = Buffer.alloc(4 * masks.length + palette.length);
  for (const [i, mask] of masks.entries()) tables.writeUInt32LE(mask, 4 * i);
  tables.set(palette, 4 * masks.length);
  head.writeUInt32LE(head.length + tables.length, 10);
  head.writeUInt32LE(infoBytes, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  head.writeUInt32LE(colours, 46);
  return Buffer.concat([head, tables, Buffer.from(data)]);
}
