// Converts YCbCr of another matrix or of full range to that of MPEG-1: ITU-R BT.601, limited range.
import { chromaLength, type Frame } from '../../picture/frame.js';

/** How luma and colour differences were made. */
export interface YcbcrKind {
  /** Weights of red and blue in luma. */
  readonly kr: number;
  readonly kb: number;
  readonly isFullRange: boolean;
}

/** The weights by their names in WebCodecs: ITU-R BT.601 has two, for the same numbers. */
const WEIGHTS: Readonly<Record<string, Pick<YcbcrKind, 'kr' | 'kb'>>> = {
  smpte170m: { kr: 0.299, kb: 0.114 },
  bt470bg: { kr: 0.299, kb: 0.114 },
  bt709: { kr: 0.2126, kb: 0.0722 },
  'bt2020-ncl': { kr: 0.2627, kb: 0.0593 },
};

/** What a VideoColorSpace says of YCbCr. */
interface ColorSpace {
  readonly matrix: string | null;
  readonly fullRange: boolean | null;
}

/** The kind of a colour space: one without a matrix counts as BT.601. Undefined for one that is no YCbCr of these. */
export function ycbcrKind({ matrix, fullRange }: ColorSpace): YcbcrKind | undefined {
  const weights = WEIGHTS[matrix ?? 'smpte170m'];
  return weights && { ...weights, isFullRange: fullRange ?? false };
}

/** Fixed point of 16 bits: each row gives Y, Cb or Cr from those of the source and 1. */
type Row = readonly [y: number, cb: number, cr: number, one: number];

/** The frame in BT.601 of limited range; the same frame if it is. */
export function limitedBt601(frame: Frame, kind: YcbcrKind): Frame {
  const { kr, kb } = WEIGHTS.smpte170m!;
  if (kind.kr === kr && kind.kb === kb && !kind.isFullRange) return frame;
  const { width, height, y, u, v } = frame;
  const [[yOfY, yOfCb, yOfCr, yOfOne], [, cbOfCb, cbOfCr, cbOfOne], [, crOfCb, crOfCr, crOfOne]] = conversion(kind);
  const [chromaWidth, chromaHeight] = [chromaLength(width), chromaLength(height)];
  const { imul } = Math;
  // A clamped array rounds nothing here: values are whole.
  const outY = new Uint8ClampedArray(y.length);
  const outU = new Uint8ClampedArray(u.length);
  const outV = new Uint8ClampedArray(v.length);
  for (let chromaY = 0; chromaY < chromaHeight; chromaY++) {
    const row = 2 * chromaY * width;
    const rowBelow = 2 * chromaY + 1 < height ? row + width : row;
    for (let chromaX = 0; chromaX < chromaWidth; chromaX++) {
      const at = chromaY * chromaWidth + chromaX;
      const [cb, cr] = [u[at]!, v[at]!];
      // Chroma of a grey is 128, so that luma adds nothing to it.
      outU[at] = (imul(cbOfCb, cb) + imul(cbOfCr, cr) + cbOfOne) >> 16;
      outV[at] = (imul(crOfCb, cb) + imul(crOfCr, cr) + crOfOne) >> 16;
      const ofChroma = imul(yOfCb, cb) + imul(yOfCr, cr) + yOfOne;
      const x = 2 * chromaX;
      const xRight = x + 1 < width ? x + 1 : x;
      outY[row + x] = (imul(yOfY, y[row + x]!) + ofChroma) >> 16;
      outY[row + xRight] = (imul(yOfY, y[row + xRight]!) + ofChroma) >> 16;
      outY[rowBelow + x] = (imul(yOfY, y[rowBelow + x]!) + ofChroma) >> 16;
      outY[rowBelow + xRight] = (imul(yOfY, y[rowBelow + xRight]!) + ofChroma) >> 16;
    }
  }
  const bytes = ({ buffer }: Uint8ClampedArray<ArrayBuffer>) => new Uint8Array(buffer);
  return { width, height, y: bytes(outY), u: bytes(outU), v: bytes(outV) };
}

/** The rows for luma, Cb and Cr. */
function conversion({ kr, kb, isFullRange }: YcbcrKind): readonly [luma: Row, blue: Row, red: Row] {
  const [lumaSteps, chromaSteps, lumaZero] = isFullRange ? [255, 255, 0] : [219, 224, 16];
  // Y 0..1, Cb and Cr -1/2..1/2 of the source, as Y, Cb and Cr of BT.601.
  const normal = (y: number, cb: number, cr: number): readonly [number, number, number] => {
    const [r, b] = [y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb];
    const g = (y - kr * r - kb * b) / (1 - kr - kb);
    const luma = 0.299 * r + 0.587 * g + 0.114 * b;
    return [luma, (b - luma) / 1.772, (r - luma) / 1.402];
  };
  const columns = [normal(1 / lumaSteps, 0, 0), normal(0, 1 / chromaSteps, 0), normal(0, 0, 1 / chromaSteps)] as const;
  const row = (component: 0 | 1 | 2, steps: number, zero: number): Row => {
    const [y, cb, cr] = columns.map(column => Math.round(column[component] * steps * 2 ** 16)) as [
      number,
      number,
      number,
    ];
    return [y, cb, cr, (zero << 16) + (1 << 15) - y * lumaZero - (cb + cr) * 128];
  };
  return [row(0, 219, 16), row(1, 224, 128), row(2, 224, 128)];
}
