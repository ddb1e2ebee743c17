// The error for a picture that does not fit into the decoder's buffer, however it is coded.
import { InputError, type OptionNaming } from '../../../errors.js';

/** The error for a coded picture of `bits` where the buffer holds `fullnessBits`; `remedies` says what to change. */
export function tooLargePicture(
  picture: number,
  bits: number,
  fullnessBits: number,
  remedies: (named: OptionNaming) => string,
): InputError {
  const what = `picture ${picture} takes at least ${Math.ceil(bits / 8)} bytes`;
  const why = `${what}, and the decoder's buffer has received ${Math.floor(fullnessBits / 8)} by its time`;
  return new InputError(named => `${why}: ${remedies(named)} has to be greater`);
}
