// What faults mean that ffmpeg reports, in words for people who do not know ffmpeg.

interface Meaning {
  readonly says: RegExp;
  readonly means: string;
  /** True: ffmpeg's own line adds no fact, and is left out. */
  readonly isWhole?: true;
}

/** Pictures of more pels than ffmpeg is to decode. Without their size, other parts of ffmpeg fail after that. */
export const TOO_LARGE = /exceeds? .*max pixel count|Picture size .* is invalid/;

/** The first row that fits a line of ffmpeg counts. */
const MEANINGS: readonly Meaning[] = [
  { says: /moov atom not found/, means: 'its index is missing: it is not whole, or not what its name says' },
  { says: /matches no streams|does not contain any stream/, means: 'it has no pictures', isWhole: true },
  { says: /no decoder found for|Decoder \(codec .*not found|Unknown decoder/, means: 'this ffmpeg cannot decode it' },
  { says: /No such filter|Unrecognized option|Option not found/, means: 'this ffmpeg lacks a part that is needed' },
  { says: /Unknown (in|out)put format|Requested output format/, means: 'this ffmpeg lacks a part that is needed' },
  { says: /No space left on device/, means: 'the disk is full', isWhole: true },
  { says: /Cannot allocate memory/, means: 'there is not enough memory', isWhole: true },
  { says: TOO_LARGE, means: 'its pictures are too large' },
  {
    says: /dimensions not set|unspecified (size|pixel format)|Could not find codec parameters/,
    means: 'its header does not say enough',
  },
  { says: /trunca|partial file|End of file|ended prematurely/i, means: 'it ends early' },
  {
    says: /decoding MB|damaged|CRC mismatch|corrupt|conceal|slice header|non-existing PPS|missing picture|no frame!/i,
    means: 'pictures are damaged',
  },
  { says: /Invalid data found when processing input$/, means: 'a part of it cannot be decoded', isWhole: true },
];

/** What is wrong with a file in which nothing could be read. */
const NOTHING_READ = 'it is damaged, or no file of a kind that is read';

/** Why nothing could be read, where ffmpeg's last error was `line`. */
export function failureInWords(line: string): string {
  if (/^(Error opening input.*: )?Invalid data found when processing input$/.test(line)) return NOTHING_READ;
  const meaning = MEANINGS.find(({ says }) => says.test(line));
  if (!meaning) return `ffmpeg cannot read it (${line})`;
  return meaning.isWhole ? meaning.means : `${meaning.means} (ffmpeg: ${line})`;
}

/** A fault of a file that is known to be damaged: ffmpeg's line, unless it says less than our words. */
export function faultKind(line: string): string {
  const meaning = MEANINGS.find(({ says }) => says.test(line));
  return meaning?.isWhole ? meaning.means : line;
}
