// The time stamps that ffmpeg finds in files, all of them in one run of it.
import { spawnSync } from 'node:child_process';

/** What ffmpeg finds in one stream of a file. */
export interface TimedStream {
  /** As ffmpeg calls it, such as `mp2`; of pictures that are decoded, `rawvideo`. */
  readonly codec: string;
  /** Seconds that a tick lasts, as a fraction. */
  readonly timeBase: string;
  /** Times in ticks. */
  readonly packets: readonly { readonly pts: number; readonly dts: number; readonly bytes: number }[];
}

/** What is looked at, and from which of ffmpeg's levels on its messages are a failure. */
interface TimingOptions {
  readonly maps?: readonly string[];
  readonly isDecoded?: boolean;
  readonly level?: 'warning' | 'error';
}

/**
 * The packets of the first video stream of each file, or of the streams that `maps` names; decoded pictures in their
 * place with `isDecoded`. Throws where ffmpeg gives a warning, or, with `level` 'error', an error.
 */
export function timedStreams(
  ffmpeg: string,
  paths: readonly string[],
  { maps = ['v:0'], isDecoded = false, level = 'warning' }: TimingOptions = {},
): TimedStream[] {
  const inputs = paths.flatMap(path => ['-i', path]);
  const streams = paths.flatMap((_, n) => maps.flatMap(map => ['-map', `${n}:${map}`]));
  // In the ticks of the file: otherwise times would be rounded to whole pictures.
  const coding = isDecoded ? ['-vsync', 'passthrough', '-enc_time_base', '-1'] : ['-c', 'copy'];
  const quiet = ['-hide_banner', '-nostdin', '-v', level, '-copyts'];
  const args = [...quiet, ...inputs, ...streams, ...coding, '-f', 'framecrc', '-'];
  const { stdout, stderr } = spawnSync(ffmpeg, args, { encoding: 'utf8' });
  if (stderr !== '') throw new Error(`${ffmpeg} of ${paths.join(', ')}: ${stderr}`);
  const lines = stdout.split('\n');
  const said = (what: string, n: number) =>
    lines.find(line => line.startsWith(`#${what} ${n}: `))?.split(': ')[1] ?? '';
  return Array.from({ length: paths.length * maps.length }, (_, n) => ({
    codec: said('codec_id', n),
    timeBase: said('tb', n),
    packets: lines
      .filter(line => line.startsWith(`${n},`))
      .map(line => {
        const [, dts, pts, , bytes] = line.split(',').map(Number);
        return { pts: pts!, dts: dts!, bytes: bytes! };
      }),
  }));
}
