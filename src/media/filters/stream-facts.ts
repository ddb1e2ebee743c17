// What ffmpeg's description says of a video's pictures.

/** Which field of an interlaced picture is shown first. */
export type FirstField = 'top' | 'bottom';

/** What is known of the pictures of a video before they are decoded. */
export interface StreamFacts {
  /** Undefined for progressive pictures, and where nothing is said. */
  readonly firstField?: FirstField;
  /** The transfer function of high dynamic range: SMPTE ST 2084, or ARIB STD-B67. */
  readonly hdr?: 'PQ' | 'HLG';
  /** What the stream does not say of its high dynamic range, in ffmpeg's words: its matrix, its primaries. */
  readonly unsaid?: readonly ('colorspace' | 'color_primaries')[];
  /** The alpha channel of its pels, by what the rest is coded as. */
  readonly alpha?: 'rgb' | 'yuv' | 'yuv420';
  /** The decoder that gives the alpha channel, where ffmpeg's own leaves it out. */
  readonly alphaDecoder?: 'libvpx' | 'libvpx-vp9';
  /** True: the samples are of full range, which ffmpeg does not convert by itself. */
  readonly isFullRange?: boolean;
  /** The matrix by which its YCbCr was made, where that is not BT.601's. */
  readonly matrix?: 'BT.709' | 'BT.2020';
  /** True: it says no matrix, but players take pictures of its size for BT.709. */
  readonly isMatrixAssumed?: true;
  /** The mean rate of its pictures, rounded by ffmpeg to hundredths; undefined where nothing is said. */
  readonly framesPerSecond?: number;
  /** The rate at which ffmpeg writes its pictures, where it repeats some of them and the rate is a whole number. */
  readonly heldAtRate?: number;
  /** True: the only picture is a cover, as songs have. */
  readonly isCover?: true;
  /** Number of the first video stream, where a cover comes before it. */
  readonly streamAfterCover?: number;
  /** How many other videos there are, covers apart, and subtitles. */
  readonly leftOut?: { readonly videos: number; readonly subtitles: number };
  /** True: the input has no other stream, so that its duration is that of the video. */
  readonly isAlone: boolean;
}

/** Players assume BT.709 for pictures of so many lines or more that do not state it, BT.601 for smaller ones. */
export const BT709_LINES = 720;

/** The line of a video stream: codec, pixel format with its parameters, size. */
const VIDEO_LINE = /^.*Stream #0:\d+.*?: Video: (\w+).*?, (\w+)(?:\((.*?)\))?, \d+x(\d+)/;
/** The first of a stream's rates, `29.97 fps, 30 tbr`: the mean one, if ffmpeg knows it. */
const RATE = /, ([\d.]+)(k?) (?:fps|tbr)/;
/** The rate of an output, if it is a whole number. */
const WHOLE_RATE = /, (\d+) fps/;
/** Matrix, primaries and a transfer function of high dynamic range. */
const MATRIX = /(?:^|, )(bt709|bt2020nc)/;
const ANY_MATRIX = /(?:^|, )(?:bt|smpte|fcc|ycgco|ictcp|gbr)/;
const HDR_COLOURS = /([\w-]+)\/([\w-]+)\/(smpte2084|arib-std-b67)/;
const SUBTITLE_LINE = /Stream #0:\d+.*?: Subtitle: /;
const STREAM_LINE = /Stream #0:(\d+)/;
/** A picture that belongs to no time: old ffmpegs do not name it, but give an image the rate of the clock. */
const COVER = /\(attached pic\)|: Video: (?:mjpeg|png|bmp|gif)\b.*, 90k tbr, 90k tbn/;
const ALPHA_FORMAT = /^(yuva|rgba|argb|bgra|abgr|gbrap|ya8|ya16|pal8|ayuv)/;
/** The decoders that give the alpha channel of WebM, by its codec. */
const ALPHA_DECODERS: Readonly<Record<string, StreamFacts['alphaDecoder']>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };

/** Reads ffmpeg's description of its input, line by line, and the line of what it writes. */
export function readStreamFacts(description: readonly string[], outputStream = ''): StreamFacts {
  const end = description.findIndex(line => /Output #0|Stream mapping:/.test(line));
  const lines = description.slice(0, end < 0 ? undefined : end);
  const covers = lines.filter(line => VIDEO_LINE.test(line) && COVER.test(line));
  const videos = lines.filter(line => VIDEO_LINE.test(line) && !COVER.test(line));
  const subtitles = lines.filter(line => SUBTITLE_LINE.test(line)).length;
  const at = lines.indexOf(videos[0] ?? covers[0] ?? '');
  const isAfterCover = videos.length > 0 && covers.length > 0 && lines.indexOf(covers[0]!) < at;
  const isAlone = lines.filter(line => STREAM_LINE.test(line)).length === 1;
  const match = VIDEO_LINE.exec(lines[at] ?? '');
  if (!match) return { isAlone };
  const [, codec, format = '', parameters = '', height] = match;
  const next = lines.findIndex((line, i) => i > at && STREAM_LINE.test(line));
  const hasAlphaMode = lines
    .slice(at, next < 0 ? undefined : next)
    .some(line => /^\W*(\[info\])?\s*alpha_mode *: *1/i.test(line));
  const alphaDecoder = hasAlphaMode ? ALPHA_DECODERS[codec!] : undefined;
  const alpha = alphaDecoder ? 'yuv420' : alphaOf(format);
  const firstField = firstFieldOf(parameters);
  const [, rate, thousands] = RATE.exec(lines[at]!) ?? [];
  const framesPerSecond = rate === undefined ? undefined : Number(rate) * (thousands ? 1000 : 1);
  const written = Number(WHOLE_RATE.exec(outputStream)?.[1] ?? 0);
  const saysNone = /^(yuv(?!j)|nv)/.test(format) && !ANY_MATRIX.test(parameters);
  const isMatrixAssumed = saysNone && Number(height) >= BT709_LINES;
  const said = isMatrixAssumed ? 'bt709' : MATRIX.exec(parameters)?.[1];
  const [, matrix, primaries, transfer] = HDR_COLOURS.exec(parameters) ?? [];
  const unsaid = [
    ...(matrix === 'unknown' ? (['colorspace'] as const) : []),
    ...(primaries === 'unknown' ? (['color_primaries'] as const) : []),
  ];
  return {
    ...(firstField && { firstField }),
    ...(transfer && { hdr: transfer === 'smpte2084' ? 'PQ' : 'HLG' }),
    ...(unsaid.length > 0 && { unsaid }),
    ...(alpha && { alpha }),
    ...(alphaDecoder && { alphaDecoder }),
    ...(/^yuva?\d/.test(format) && /\bpc\b/.test(parameters) && { isFullRange: true }),
    ...(said && !transfer && { matrix: said === 'bt709' ? ('BT.709' as const) : ('BT.2020' as const) }),
    ...(isMatrixAssumed && !transfer && ({ isMatrixAssumed } as const)),
    ...(framesPerSecond !== undefined && { framesPerSecond }),
    ...(framesPerSecond !== undefined && framesPerSecond < written && { heldAtRate: written }),
    ...(videos.length === 0 && ({ isCover: true } as const)),
    ...(isAfterCover && { streamAfterCover: Number(STREAM_LINE.exec(lines[at]!)![1]) }),
    ...((videos.length > 1 || subtitles > 0) && { leftOut: { videos: Math.max(0, videos.length - 1), subtitles } }),
    isAlone,
  };
}

function alphaOf(format: string): StreamFacts['alpha'] {
  if (!ALPHA_FORMAT.test(format)) return undefined;
  if (format === 'yuva420p') return 'yuv420';
  return /^(yuva|ayuv)/.test(format) ? 'yuv' : 'rgb';
}

/** Fields may be stored in the other order than they are shown in: `top coded first (swapped)`. */
function firstFieldOf(parameters: string): FirstField | undefined {
  const [, field, coded] = /\b(top|bottom) (coded )?first/.exec(parameters) ?? [];
  if (field === undefined) return undefined;
  return (field === 'top') === (coded === undefined) ? 'top' : 'bottom';
}
