// The error for an input that could be read in part.
import { InputError } from '../../errors.js';

/**
 * An input that ends early or is damaged. Thrown in place of the end of the frames: those before it are what could be
 * read.
 */
export class DamagedInput extends InputError {}
