// Reads quantizer matrices from text files.

import { TUNED_MATRIX } from '../../encode-files/check-options.js';
import type { EncoderOptions } from '../../encoder/options.js';
import { InputError, messageOf, OptionError } from '../../errors.js';
import { readInput } from '../../media/input-file.js';
import type { FlagsOf } from '../flags/flag-table.js';

type MatrixFlags = Pick<FlagsOf<'encode'>, 'matrix' | 'intraMatrix' | 'nonIntraMatrix'>;

const WEIGHTS = 64;
/** Bytes of the longest file that is read: room for comments. */
const MAX_MATRIX_BYTES = 1 << 16;

/**
 * The 64 weights in the file, by rows as in the standard. White space or commas separate them; `#` starts a comment.
 * Throws an InputError that names the file. The encoder checks the range of the weights.
 */
export async function readQuantizerMatrix(path: string): Promise<number[]> {
  const text = new TextDecoder().decode(await readInput(path, MAX_MATRIX_BYTES));
  const words = text
    .replace(/#.*$/gm, '')
    .split(/[\s,]+/)
    .filter(word => word !== '');
  const wrong = words.find(word => !/^\d+$/.test(word));
  if (wrong !== undefined) throw new InputError(`${path}: '${wrong}' is not a whole number`);
  if (words.length !== WEIGHTS) throw new InputError(`${path} has ${words.length} weights, not ${WEIGHTS}`);
  return words.map(Number);
}

/** The matrices that the flags name or whose files they name. */
export async function matrixOptions({
  matrix,
  intraMatrix,
  nonIntraMatrix,
}: MatrixFlags): Promise<Pick<EncoderOptions, 'matrix' | 'intraMatrix' | 'nonIntraMatrix'>> {
  return {
    ...(matrix !== undefined && matrix !== TUNED_MATRIX && { matrix }),
    ...(intraMatrix !== undefined && { intraMatrix: await readQuantizerMatrix(intraMatrix) }),
    ...(nonIntraMatrix !== undefined && { nonIntraMatrix: await readQuantizerMatrix(nonIntraMatrix) }),
  };
}

/** An error about the weights of a matrix, with the name of the file that they are from; other errors as they are. */
export function namingMatrixFile(error: unknown, { intraMatrix, nonIntraMatrix }: MatrixFlags): unknown {
  if (!(error instanceof OptionError)) return error;
  const [option] = error.option.split('[');
  const file = { intraMatrix, nonIntraMatrix }[option as 'intraMatrix'];
  return file === undefined ? error : new InputError(named => `${file}: ${messageOf(error, named)}`);
}
