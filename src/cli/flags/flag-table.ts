// The flags of every command, in the order of `--help`.
import { ENCODER_OPTIONS, type OptionRow } from '../../encoder/settings/option-table.js';
import type { OptionNaming } from '../../errors.js';
import { DISPARITY_FLAGS } from '../disparity/disparity-flags.js';
import { FARM_FLAGS } from '../farm/farm-flags.js';
import { LOCATE_FLAGS } from '../locate/locate-flags.js';
import { CHUNK_FLAGS, PLAN_FLAGS } from './chunk-flags.js';
import { CODING_FLAGS } from './coding-flags.js';
import { COMPARE_FLAGS } from './compare-flags.js';
import { ESTIMATE_FLAGS } from './estimate-flags.js';
import { type CommandName, type FlagRow, type FlagRows, type FlagsIn, flagName } from './flag-row.js';
import { GOP_FLAGS } from './gop-flags.js';
import { INPUT_FLAGS, SOUND_FLAGS } from './input-flags.js';
import { MOTION_FLAGS } from './motion-flags.js';
import { OUTPUT_FLAGS } from './output-flags.js';
import { RATE_FLAGS } from './rate-flags.js';

interface FlagGroup {
  readonly title: string;
  readonly rows: FlagRows;
}

const FLAG_GROUPS: readonly FlagGroup[] = [
  { title: 'Comparison', rows: COMPARE_FLAGS },
  { title: 'Plan', rows: PLAN_FLAGS },
  { title: 'Chunk', rows: CHUNK_FLAGS },
  { title: 'Pattern', rows: LOCATE_FLAGS },
  { title: 'Farm', rows: FARM_FLAGS },
  { title: 'Output', rows: OUTPUT_FLAGS },
  { title: 'Input', rows: INPUT_FLAGS },
  { title: 'Sound', rows: SOUND_FLAGS },
  { title: 'Quality and bit rate', rows: RATE_FLAGS },
  { title: 'Groups of pictures', rows: GOP_FLAGS },
  { title: 'Coding', rows: CODING_FLAGS },
  { title: 'Motion search', rows: MOTION_FLAGS },
  { title: 'Vectors and their quality', rows: ESTIMATE_FLAGS },
  { title: 'Disparities and their quality', rows: DISPARITY_FLAGS },
];

/** The flags that are options of the encoder. */
export const ENCODER_FLAGS = { ...RATE_FLAGS, ...GOP_FLAGS, ...CODING_FLAGS, ...MOTION_FLAGS };

/** The values of the flags of a command, as commander gives them. */
export type FlagsOf<Command extends CommandName> = FlagsIn<typeof ENCODER_FLAGS, Command> &
  FlagsIn<typeof ESTIMATE_FLAGS, Command> &
  FlagsIn<typeof DISPARITY_FLAGS, Command> &
  FlagsIn<typeof COMPARE_FLAGS, Command> &
  FlagsIn<typeof LOCATE_FLAGS, Command> &
  FlagsIn<typeof PLAN_FLAGS, Command> &
  FlagsIn<typeof CHUNK_FLAGS, Command> &
  FlagsIn<typeof FARM_FLAGS, Command> &
  FlagsIn<typeof INPUT_FLAGS, Command> &
  FlagsIn<typeof SOUND_FLAGS, Command> &
  FlagsIn<typeof OUTPUT_FLAGS, Command>;

/** A flag with its name: `gop-min`. */
export interface Flag extends FlagRow {
  readonly name: string;
}

/** The flags of a command under their headings. */
export function flagsOf(command: CommandName): readonly { readonly title: string; readonly flags: readonly Flag[] }[] {
  return FLAG_GROUPS.map(({ title, rows }) => ({
    title,
    flags: Object.entries(rows)
      .filter(([, row]) => row.commands.includes(command))
      .map(([name, row]) => ({ ...row, name: flagName(name) })),
  })).filter(({ flags }) => flags.length > 0);
}

/** The flags that a command takes only to refuse them. */
export function refusedFlagsOf(command: CommandName): readonly Flag[] {
  const rows = FLAG_GROUPS.flatMap(({ rows }) => Object.entries(rows));
  return rows
    .filter(([, row]) => row.refusedBy?.includes(command))
    .map(([name, row]) => ({ ...row, name: flagName(name) }));
}

/** How the command line writes options, by their own names. */
const FLAG_NAMES_OF_OPTIONS: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    FLAG_GROUPS.flatMap(({ rows }) =>
      Object.entries(rows).map(([name, row]) => [row.option ?? name, `--${flagName(name)}`] as const),
    ),
  ),
  pelAspectRatio: '--aspect',
  blockSize: '--block',
  candidatesPerBlock: '--candidates',
};

/**
 * An option as the command line writes it: `gopMin` is `--gop-min`, `tools.trellis` is `--tool trellis`. What no flag
 * sets stays as it is.
 */
export const asFlag: OptionNaming = option => {
  const [, name = option, rest = ''] = /^(\w+)(.*)$/s.exec(option) ?? [];
  const flag = FLAG_NAMES_OF_OPTIONS[name];
  if (flag === undefined) return option;
  return rest.startsWith('.') ? `${flag} ${flagName(rest.slice(1))}` : `${flag}${rest}`;
};

/** A flag as `--help` shows it: `-o, --output <file>`. */
export function flagTerm({ name, letter, values }: Flag): string {
  return `${letter === undefined ? '' : `-${letter}, `}--${name}${values ? ` <${values.placeholder}>` : ''}`;
}

/** The default of a flag in words; undefined where it has none. */
export function defaultInWords(row: FlagRow): string | undefined {
  if (row.default !== undefined || row.option === undefined) return row.default;
  const option: OptionRow = ENCODER_OPTIONS[row.option as keyof typeof ENCODER_OPTIONS] ?? {};
  if (option.presetTool !== undefined) return 'by preset';
  const { default: value } = option;
  if (value === undefined || value === false) return undefined;
  return typeof value === 'object' && value !== null ? Object.values(value).join('x') : String(value);
}
