// Options of the library with odd values: refused at once by an error that names the option, or right.
import fc from 'fast-check';
import { Encoder } from '../../../src/encoder/encoder.js';
import { ENCODER_OPTIONS } from '../../../src/encoder/settings/option-table.js';
import { checkValue, type OptionValues, SWITCH } from '../../../src/encoder/settings/option-values.js';
import { InputError, OptionError } from '../../../src/errors.js';
import { encodeFrames } from '../../support/encode.js';
import { fail, type Outcome } from '../runner/fuzz-kind.js';
import { oddValues, revived } from '../runner/special-values.js';
import { drawFrames } from './contents.js';

/** One option with an odd value. */
export interface OddOption {
  readonly option: string;
  readonly value: unknown;
}

const SCENE = { kind: 'text', value: 0, seed: 1, dx: 2, dy: 1, chroma: 'noise', frames: 3 } as const;
const SIDE = 32;
const MAX_MESSAGE = 400;
const SWITCHES = ['cbr', 'openGop', 'adaptiveTypes'];
/** Options that the table leaves to the parts that use them. */
const OTHERS = ['frameRate', 'tools', 'kernels', 'signal', 'firstPass', 'onPicture', 'onWarning'];
const UNKNOWN = ['oops', 'bframes', 'gopmin'];

/** Random ones. */
export const oddOptions: fc.Arbitrary<OddOption> = fc.record({
  option: fc.constantFrom(...Object.keys(ENCODER_OPTIONS), ...OTHERS, ...UNKNOWN),
  value: oddValues,
});

/** Throws unless the option is refused by the constructor, or legal and its encode right. */
export async function checkOddOption({ option, value: given }: OddOption): Promise<Outcome> {
  const value = revived(given);
  const options = { width: SIDE, height: SIDE, frameRate: 25, threads: 1, estimator: 'zero', [option]: value };
  try {
    new Encoder(options as never);
  } catch (error) {
    const isRight = error instanceof OptionError && error.message.length < MAX_MESSAGE;
    if (isRight && error.message.includes(error.option.split('.')[0]!)) return 'refused';
    return fail(`${option} is refused with ${error}`);
  }
  if (isIllegal(option, value)) fail(`${option} is taken although it is illegal`);
  const { width, height } = options as { width: number; height: number };
  if (width * height > SIDE * SIDE) return 'right';
  try {
    await encodeFrames(drawFrames([SCENE], width, height, SCENE.frames), options);
    return 'right';
  } catch (error) {
    // What a function makes is known only when it is called.
    if (option === 'estimator' && typeof value === 'function' && error instanceof InputError) return 'refused';
    throw error;
  }
}

/** Whether the option must be refused, as far as the table says. */
function isIllegal(option: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (UNKNOWN.includes(option)) return true;
  const row: object = ENCODER_OPTIONS[option as keyof typeof ENCODER_OPTIONS] ?? {};
  const values = SWITCHES.includes(option) ? SWITCH : 'values' in row && (row.values as OptionValues);
  if (!values) return false;
  try {
    checkValue(option, value, values);
    return false;
  } catch {
    return true;
  }
}
