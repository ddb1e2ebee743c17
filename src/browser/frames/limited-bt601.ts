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
  const { width, height, u, v } = frame;
  const [luma, blue, red] = conversion(kind);
  const chromaWidth = chromaLength(width);
  // A clamped array rounds nothing here: values are whole.
  const out = {
    y: new Uint8ClampedArray(width * height),
    u: new Uint8ClampedArray(u.length),
    v: new Uint8ClampedArray(v.length),
  };
  for (let at = 0; at < u.length; at++) {
    // Chroma of a grey is 128, so that luma adds nothing to it.
    out.u[at] = (blue[1] * u[at]! + blue[2] * v[at]! + blue[3]) >> 16;
    out.v[at] = (red[1] * u[at]! + red[2] * v[at]! + red[3]) >> 16;
  }
  for (let line = 0; line < height; line++) {
    const chromaRow = (line >> 1) * chromaWidth;
    for (let x = 0; x < width; x++) {
      const chroma = chromaRow + (x >> 1);
      const at = line * width + x;
      out.y[at] = (luma[0] * frame.y[at]! + luma[1] * u[chroma]! + luma[2] * v[chroma]! + luma[3]) >> 16;
    }
  }
  const bytes = ({ buffer }: Uint8ClampedArray<ArrayBuffer>) => new Uint8Array(buffer);
  return { width, height, y: bytes(out.y), u: bytes(out.u), v: bytes(out.v) };
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
