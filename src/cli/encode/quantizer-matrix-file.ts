// Reads a quantizer matrix from a text file.
import { InputError } from '../../errors.js';
import { readInput } from '../../media/input-file.js';

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
