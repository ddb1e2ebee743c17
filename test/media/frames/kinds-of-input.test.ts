// Kinds of input and what comes out: the pictures of ffmpeg's own conversion, their shape, and what is told.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FrameSourceOptions } from '../../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { packagedFfmpeg } from '../../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { i420Of } from '../test-frames.js';

const FRAMES = 3;
const HALF_OPAQUE = 'format=rgba,geq=r=r(X\\,Y):g=g(X\\,Y):b=b(X\\,Y):a=5*X';
const HDR = '-color_primaries bt2020 -colorspace bt2020nc -pix_fmt yuv420p10le -c:v ffv1';
const TONE_MAP =
  'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=470bg:r=limited';
const FULL_TO_LIMITED = 'scale=in_range=full:out_range=limited';
const SQUARE = { width: 1, height: 1 };
const CROPPED = { crop: { width: 30, height: 21, x: 5, y: 3 }, scale: { width: 40, height: 24 } } as const;
const CROP_AND_SCALE = 'crop=30:21:5:3:exact=1,scale=40:24';
/** 30x21 pels become 40x24. */
const CROPPED_SHAPE = { width: 6, height: 7 };

interface Kind {
  readonly file: string;
  /** How ffmpeg makes it from its moving test picture. */
  readonly make: string;
  /** ffmpeg's filters, or `over COLOUR`, that give what is expected; none: only the pixel format changes. */
  readonly filter?: string;
  readonly options?: FrameSourceOptions;
  /** Default: square. */
  readonly shape?: { readonly width: number; readonly height: number } | undefined;
  readonly warning?: RegExp;
  /** By how much a sample may differ in the mean, where the conversion is not ffmpeg's; default 0. */
  readonly tolerance?: number;
}

const plain = (file: string, make: string, more: Partial<Kind> = {}): Kind => ({ file, make, ...more });
const ffv1 = (format: string, more: Partial<Kind> = {}): Kind =>
  plain(`ffv1-${format}.mkv`, `-c:v ffv1 -pix_fmt ${format}`, more);
const y4m = (format: string, more: Partial<Kind> = {}): Kind =>
  plain(`c-${format}.y4m`, `-pix_fmt ${format} -strict -1`, more);

const KINDS: readonly Kind[] = [
  // Containers and codecs.
  plain('h264.mp4', '-c:v libx264'),
  plain('mpeg4.mp4', '-c:v mpeg4'),
  plain('h264.mkv', '-c:v libx264'),
  plain('vp8.webm', '-c:v libvpx'),
  plain('vp9.webm', '-c:v libvpx-vp9 -cpu-used 8'),
  plain('vp8.ivf', '-c:v libvpx', { shape: undefined }),
  plain('mpeg4.avi', '-c:v mpeg4'),
  plain('mjpeg.avi', '-c:v mjpeg -pix_fmt yuvj420p'),
  plain('prores.mov', '-c:v prores_ks'),
  plain('qtrle.mov', '-c:v qtrle -pix_fmt rgb24'),
  plain('flv1.flv', '-c:v flv1', { shape: undefined }),
  plain('mpeg1.mpg', '-c:v mpeg1video'),
  plain('mpeg2.ts', '-c:v mpeg2video'),
  plain('h264.ts', '-c:v libx264'),
  plain('mpeg1.m1v', '-c:v mpeg1video', { filter: 'setpts=N/25/TB' }),
  plain('theora.ogv', '-c:v libtheora'),
  plain('wmv2.wmv', '-c:v wmv2'),
  plain('raw.nut', '-c:v rawvideo'),
  plain('moving.apng', '-f apng -pix_fmt rgb24'),
  plain('moving.png', '-f apng -pix_fmt rgb24'),
  plain('moving.gif', '', { filter: 'over black', warning: /alpha channel: it is shown on black/ }),
  // Pixel formats.
  ...['yuv420p', 'yuv422p', 'yuv444p', 'yuv411p', 'yuv420p10le', 'yuv422p10le', 'yuv444p16le', 'gray', 'bgr0'].map(
    format => ffv1(format),
  ),
  plain('full.mkv', '-c:v ffv1 -pix_fmt yuv420p -color_range pc', { filter: FULL_TO_LIMITED }),
  // y4m.
  ...['yuv420p', 'yuv422p', 'yuv444p', 'yuv411p', 'yuv420p10le', 'yuv422p12le', 'yuv444p16le'].map(format =>
    y4m(format),
  ),
  plain('full-420.y4m', '-pix_fmt yuv420p', { filter: FULL_TO_LIMITED }),
  plain('full-422.y4m', '-pix_fmt yuv422p', { filter: FULL_TO_LIMITED }),
  // Alpha.
  plain('alpha-vp8.webm', `-vf ${HALF_OPAQUE} -c:v libvpx -auto-alt-ref 0 -pix_fmt yuva420p`, {
    filter: 'over black',
    warning: /alpha channel: it is shown on black, and background chooses/,
    tolerance: 1,
  }),
  plain('alpha-vp9.webm', `-vf ${HALF_OPAQUE} -c:v libvpx-vp9 -cpu-used 8 -pix_fmt yuva420p`, {
    options: { background: 'white' },
    filter: 'over white',
    warning: /shown on white/,
    tolerance: 1,
  }),
  plain('alpha.mov', `-vf ${HALF_OPAQUE} -c:v qtrle -pix_fmt argb`, {
    options: { background: '#ff0000' },
    filter: 'over red',
    warning: /shown on red/,
    tolerance: 1,
  }),
  plain('alpha.mkv', `-vf ${HALF_OPAQUE} -c:v ffv1 -pix_fmt bgra`, { filter: 'over black', warning: /alpha/ }),
  plain('alpha-4444.mov', `-vf ${HALF_OPAQUE} -c:v prores_ks -pix_fmt yuva444p10le`, {
    filter: 'over black',
    warning: /alpha/,
    tolerance: 1,
  }),
  // High dynamic range.
  plain('pq.mkv', `${HDR} -color_trc smpte2084`, {
    filter: TONE_MAP,
    warning: /high dynamic range \(PQ\).*tone-mapped/,
  }),
  plain('hlg.mkv', `${HDR} -color_trc arib-std-b67`, { filter: TONE_MAP, warning: /\(HLG\)/ }),
  // Shape.
  ...['mp4', 'mkv', 'mov'].map(ending =>
    plain(`sar.${ending}`, '-c:v mpeg4 -vf setsar=16/15', { shape: { width: 16, height: 15 } }),
  ),
  plain('sar.y4m', '-vf setsar=16/15 -pix_fmt yuv420p', { shape: { width: 16, height: 15 } }),
  plain('sar.m2v', '-c:v mpeg2video -aspect 16:9', { filter: 'setpts=N/25/TB', shape: { width: 32, height: 27 } }),
  plain('override.mp4', '-c:v mpeg4', { options: { aspect: '16:9' }, shape: { width: 16 * 32, height: 9 * 48 } }),
  plain('override.y4m', '-pix_fmt yuv420p', { options: { aspect: 'sar=10:11' }, shape: { width: 10, height: 11 } }),
  plain('turned.mov', '-c:v mpeg4 -metadata:s:v rotate=90', {}),
  // Interlaced pictures.
  plain('top.ts', '-c:v mpeg2video -flags +ildct+ilme -vf setfield=tff', { warning: /interlaced, top field first/ }),
  plain('bottom.ts', '-c:v mpeg2video -flags +ildct+ilme -vf setfield=bff', {
    options: { deinterlace: true },
    filter: 'bwdif=send_frame',
  }),
  plain('top.y4m', '-vf setfield=tff -pix_fmt yuv420p', {
    options: { deinterlace: true },
    filter: 'bwdif=send_frame:tff',
  }),
  plain('bottom.y4m', '-vf setfield=bff -pix_fmt yuv420p', { warning: /interlaced, bottom field first/ }),
  // Another size.
  plain('part.mp4', '-c:v mpeg4', { options: CROPPED, filter: CROP_AND_SCALE, shape: CROPPED_SHAPE }),
  plain('part.y4m', '-pix_fmt yuv420p', { options: CROPPED, filter: CROP_AND_SCALE, shape: CROPPED_SHAPE }),
  plain('part-422.y4m', '-pix_fmt yuv422p', { options: CROPPED, filter: CROP_AND_SCALE, shape: CROPPED_SHAPE }),
  // Raw video and images, which need no ffmpeg.
  plain('raw.yuv', '-f rawvideo -pix_fmt yuv420p', { options: { size: { width: 48, height: 32 } }, shape: undefined }),
  plain('part.yuv', '-f rawvideo -pix_fmt yuv420p', {
    options: { size: { width: 48, height: 32 }, ...CROPPED },
    filter: CROP_AND_SCALE,
    shape: CROPPED_SHAPE,
  }),
  ...['png', 'bmp', 'ppm', 'tiff', 'jpg'].map(ending =>
    plain(`${ending}/%d.${ending}`, ending === 'jpg' ? '-q:v 1' : '-pix_fmt rgb24', {
      tolerance: 1.5,
      shape: undefined,
    }),
  ),
  plain('sar/%d.png', '-pix_fmt rgb24 -vf setsar=16/15', { tolerance: 1.5, shape: { width: 16, height: 15 } }),
];

const folder = temporaryFolder();
const at = (file: string) => join(folder, file);
const expectedPath = (kind: Kind) => at(`expected-${KINDS.indexOf(kind)}.yuv`);

/** Everything with one call of ffmpeg: a kind an output. */
function makeInputs(): void {
  for (const { file } of KINDS) if (file.includes('/')) mkdirSync(at(file.split('/')[0]!), { recursive: true });
  const outputs = KINDS.flatMap(({ file, make }) => [
    '-frames:v',
    String(FRAMES),
    ...make.split(' ').filter(Boolean),
    at(file),
  ]);
  runPackagedFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=48x32:rate=25,format=yuv444p', ...outputs);
  for (const file of ['full-420.y4m', 'full-422.y4m']) {
    const text = readFileSync(at(file), 'latin1');
    writeFileSync(at(file), text.replace('\n', ' XCOLORRANGE=FULL\n'), 'latin1');
  }
}

/** What ffmpeg itself makes of each, with one call: a kind an input. */
function convertAll(): void {
  const decoders: Record<string, string[]> = {
    'alpha-vp8.webm': ['-c:v', 'libvpx'],
    'alpha-vp9.webm': ['-c:v', 'libvpx-vp9'],
    'raw.yuv': ['-video_size', '48x32', '-pix_fmt', 'yuv420p', '-f', 'rawvideo'],
    'part.yuv': ['-video_size', '48x32', '-pix_fmt', 'yuv420p', '-f', 'rawvideo'],
  };
  const inputs = KINDS.flatMap(({ file }) => [...(decoders[file] ?? []), '-i', at(file)]);
  const over = KINDS.flatMap((kind, i) => {
    const colour = /^over (\w+)$/.exec(kind.filter ?? '')?.[1];
    return colour === undefined ? [] : [{ kind, i, colour }];
  });
  const graphs = over.map(({ i, colour }) => {
    const blended = `[b${i}][${i}:v]overlay=shortest=1:format=rgb,format=yuv420p[o${i}]`;
    return `color=${colour}:s=48x32:r=25:d=1,format=rgb24[b${i}];${blended}`;
  });
  const common = ['-pix_fmt', 'yuv420p', '-f', 'rawvideo'];
  const outputs = KINDS.flatMap((kind, i) => {
    const isOver = over.some(other => other.kind === kind);
    const filters = isOver ? ['-map', `[o${i}]`] : ['-map', `${i}:v:0`, '-vf', kind.filter ?? 'null'];
    return [...filters, ...common, expectedPath(kind)];
  });
  runPackagedFfmpeg(...inputs, '-filter_complex', `sws_flags=bicubic;${graphs.join(';')}`, ...outputs);
}

interface Outcome {
  readonly bytes: Buffer;
  readonly frames: number;
  readonly shape: FrameSourceOptions['scale'];
  readonly warnings: readonly string[];
}

async function read({ file, options = {} }: Kind): Promise<Outcome> {
  const warnings: string[] = [];
  const source = await openFrameSource(at(file), { ...options, onWarning: message => warnings.push(message) });
  const frames: Buffer[] = [];
  for await (const frame of source.frames()) frames.push(i420Of(frame));
  return { bytes: Buffer.concat(frames), frames: frames.length, shape: source.pelAspect, warnings };
}

/** How much a sample differs in the mean. */
function meanDifference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, sample, i) => sum + Math.abs(sample - b[i]!), 0) / a.length;
}

const outcomes = new Map<Kind, Outcome | Error>();

beforeAll(async () => {
  vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
  makeInputs();
  convertAll();
  const waiting = [...KINDS];
  const readOn = async () => {
    for (let kind = waiting.shift(); kind; kind = waiting.shift()) {
      outcomes.set(kind, await read(kind).catch((error: Error) => error));
    }
  };
  await Promise.all([readOn(), readOn(), readOn(), readOn()]);
}, 120_000);

afterAll(() => {
  vi.unstubAllEnvs();
});

describe('a kind of input', () => {
  it('has a row here, and there are many', () => {
    expect(KINDS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(KINDS)('$file has the pictures, the shape and the warnings that it should', kind => {
    const outcome = outcomes.get(kind)!;
    if (outcome instanceof Error) throw outcome;
    const expected = readFileSync(expectedPath(kind));
    expect(outcome.frames).toBe(FRAMES);
    expect(outcome.bytes.length).toBe(expected.length);
    expect(meanDifference(outcome.bytes, expected)).toBeLessThanOrEqual(kind.tolerance ?? 0);
    expect(outcome.shape).toEqual('shape' in kind ? kind.shape : SQUARE);
    if (kind.warning) expect(outcome.warnings).toEqual([expect.stringMatching(kind.warning)]);
    else expect(outcome.warnings).toEqual([]);
  });
});
