// What ffmpeg says on standard error: its description of the files, and its errors.
import { failureInWords, faultKind, TOO_LARGE } from './ffmpeg-faults.js';

/** Lines that are kept until ffmpeg has described its files: a file may have hundreds of streams, each with tags. */
const MAX_DESCRIPTION_LINES = 20_000;
/** Lines that are kept after that, for the error message. */
const MAX_KEPT_LINES = 200;
/** A line at one of ffmpeg's error levels; the parts of ffmpeg that it comes from stand before the level. */
const ERROR_LINE = /^(\[[^\]]* @ [^\]]*\] *)*\[(error|fatal|panic)\] */;
/** A line as ffmpeg alone prints it, with its level. */
const LEVEL_LINE = /^(\[[^\]]* @ [^\]]*\] *)*\[(verbose|info|warning|error|fatal|panic)\] */;
/** A warning that pictures are damaged: newer ffmpegs warn of what older ones call an error. */
const DAMAGE_WARNING = /^(\[[^\]]* @ [^\]]*\] *)*\[warning\] .*(\bcorrupt|truncat|partial file)/i;
/** A line that is wanted only for the size that it may tell: that of the pictures that filters get from then on. */
const VERBOSE_LINE = /^(?:\[[^\]]* @ [^\]]*\] *)*\[verbose\] *(?:w:(\d+) h:(\d+) pixfmt:)?/;
/** Kinds of faults that are counted by themselves. */
const MAX_KINDS = 50;
const OTHER_KINDS = 'other faults';
/** What ffmpeg prints in place of a line that comes again. */
const REPEATED = /^ *Last message repeated (\d+) times/;
/** Errors that only repeat that there was another. */
const NO_REASON = /^$|Conversion failed|Error opening (in|out)put|Error initializing/;
/** Errors that say less than those before them. */
const VAGUE =
  /(Invalid data found when processing input|Invalid argument|Filter not found)$|^Error (while processing the decoded data|reinitializing filters|marking filters)/;
/** The demuxers of lists of other files. */
const PLAYLISTS = ['applehttp', 'concat', 'dash', 'hls', 'imf', 'rtp', 'rtsp', 'sdp', 'webm_dash_manifest'];
/** Faults of an ffmpeg that another ffmpeg may not have: an option, a format or a decoder that it was built without. */
const LACK =
  /no decoder found for|Decoder \(codec (?!none).*not found|Unknown decoder|Unrecognized option|Option not found|No such filter|Unknown (in|out)put format|Requested output format/;

/** Keeps what one run of ffmpeg says. */
export class FfmpegMessages {
  readonly #lines: string[] = [];
  #maxLines = MAX_DESCRIPTION_LINES;
  /** The first line that tells of a fault, without ffmpeg's prefixes. */
  #firstFault: string | undefined;
  /** How often each fault was told, by its text without numbers. */
  readonly #faults = new Map<string, number>();
  /** The fault of the line before, which ffmpeg may say to be repeated. */
  #lastFault: string | undefined;
  #lastError: string | undefined;
  #refusedFormat: string | undefined;
  #hasOutput = false;
  #hasLevel = false;
  #onDescription: (lines: readonly string[]) => void = () => {};
  #onOutputStream: (line?: string) => void = () => {};
  /** The lines about input and output before the first frame; fewer if ffmpeg ends earlier. */
  readonly description = new Promise<readonly string[]>(resolve => {
    this.#onDescription = resolve;
  });
  /** The line about the stream that is written; undefined if ffmpeg ends before it. */
  readonly outputStream = new Promise<string | undefined>(resolve => {
    this.#onOutputStream = resolve;
  });
  readonly #sizes = new Set<string>();

  /** `input` is the name of the file as ffmpeg was given it. */
  constructor(readonly input: string) {}

  /** The lines so far, the newest at the end. */
  get lines(): readonly string[] {
    return [...this.#lines];
  }

  /** The sizes that pictures have had so far, the first one first, each once: `64x48`. */
  get sizes(): readonly string[] {
    return [...this.#sizes];
  }

  /** Whether it is an ffmpeg that speaks: such a one tells the level of each line, and is never silent. */
  get areOfFfmpeg(): boolean {
    return this.#hasLevel;
  }

  /** ffmpeg has ended: no more lines come. */
  end(): void {
    this.#onDescription(this.lines);
    this.#onOutputStream();
  }

  /** Takes the next line. */
  add(line: string): void {
    this.#hasLevel ||= LEVEL_LINE.test(line);
    const [verbose, width, height] = VERBOSE_LINE.exec(line) ?? [];
    if (width !== undefined) this.#sizes.add(`${width}x${height}`);
    if (verbose !== undefined) {
      this.#lastFault = undefined;
      return;
    }
    this.#lines.push(line);
    if (this.#lines.length > this.#maxLines) this.#lines.splice(0, this.#lines.length - this.#maxLines);
    this.#readDescription(line);
    const isError = ERROR_LINE.test(line);
    const repeated = REPEATED.exec(line)?.[1];
    if (repeated !== undefined && this.#lastFault !== undefined) this.#count(this.#lastFault, Number(repeated));
    if (repeated !== undefined) return;
    this.#lastFault = undefined;
    if (!isError && !DAMAGE_WARNING.test(line)) return;
    const text = line.replace(/^(\[[^\]]*\] *)+/, '').replace(`${this.input}: `, '');
    if (NO_REASON.test(text) && !VAGUE.test(text)) return;
    this.#firstFault ??= text;
    this.#lastFault = text;
    this.#count(text, 1);
    if (!isError) return;
    this.#refusedFormat ??= refusedFormat(line);
    if (!VAGUE.test(text) && !TOO_LARGE.test(this.#lastError ?? '')) this.#lastError = text;
    this.#lastError ??= text;
  }

  #readDescription(line: string): void {
    if (line.includes('Output #0')) {
      this.#hasOutput = true;
      this.#maxLines = MAX_KEPT_LINES; // from the next line on
      this.#onDescription(this.lines);
    } else if (this.#hasOutput && line.includes('Stream #0:')) this.#onOutputStream(line);
  }

  /** Why ffmpeg failed; undefined if it gave no reason. */
  get failure(): string | undefined {
    const format = this.#refusedFormat;
    if (format === undefined) return this.#lastError && failureInWords(this.#lastError);
    if (format.split(',').some(name => PLAYLISTS.includes(name))) {
      return `it is a playlist (${format}), which names other files: give the video itself`;
    }
    if (format === 'tty') return 'it is text, no video';
    return `it is no video of a kind that is read (ffmpeg takes it for ${format})`;
  }

  /**
   * The faults that ffmpeg has found, even those after which it went on, counted: the first one, or how many there are
   * and the most frequent ones. Undefined if there is none.
   */
  get damage(): string | undefined {
    const count = [...this.#faults.values()].reduce((sum, times) => sum + times, 0);
    if (count <= 1) return this.#firstFault && `ffmpeg reports '${faultKind(this.#firstFault)}'`;
    const [first, second, ...others] = [...this.#faults].sort(([, a], [, b]) => b - a);
    const shown = [first, second].flatMap(fault =>
      fault ? [`${fault[1] === 1 ? 'once' : `${fault[1]} times`} '${faultKind(fault[0])}'`] : [],
    );
    const rest = others.length > 0 ? ` and ${others.length} other kind${others.length > 1 ? 's' : ''}` : '';
    return `ffmpeg reports ${count} faults: ${shown.join(', ')}${rest}`;
  }

  /** Faults that differ in their numbers are one kind. */
  #count(text: string, times: number): void {
    const kind = text.replace(/-?\b(0x[0-9a-f]+|\d+|(?=[a-f]*\d)[0-9a-f]{4,})(?![a-z])/gi, 'N');
    const isKept = this.#faults.size < MAX_KINDS || this.#faults.has(kind);
    const key = isKept ? kind : OTHER_KINDS;
    this.#faults.set(key, (this.#faults.get(key) ?? 0) + times);
  }

  /** Whether ffmpeg has found that the input is of a kind that is not read. */
  get tellsOfKind(): boolean {
    return this.#refusedFormat !== undefined;
  }

  /** Whether ffmpeg failed because it lacks something that another ffmpeg may have. */
  get tellsOfLack(): boolean {
    return LACK.test(this.#lastError ?? '') || LACK.test(this.#firstFault ?? '');
  }
}

/** The demuxer that a line refuses because it is not among the allowed ones. */
function refusedFormat(line: string): string | undefined {
  if (/m3u8\/hls/.test(line)) return 'hls';
  return /^\[([^\]@]*) @ [^\]]*\] \[error\] Format not on whitelist/.exec(line)?.[1];
}
