// The video buffering verifier of ISO/IEC 11172-2 Annex C, on a whole elementary stream.
// It knows nothing of the encoder, only the headers and where each picture ends.

/** What the verifier found of a picture, in coded order. */
export interface VerifiedPicture {
  readonly type: 'I' | 'P' | 'B';
  /** Bits of the headers before its picture header, and of all that is taken out of the buffer with it. */
  readonly headerBits: number;
  readonly bits: number;
  readonly vbvDelay: number;
  /** What the buffer holds just before and just after it is taken out. */
  readonly before: number;
  readonly after: number;
}

/** A stream as the verifier sees it. */
export interface Verification {
  readonly bitRate: number;
  readonly bufferBits: number;
  readonly constrainedParameters: boolean;
  readonly pictures: readonly VerifiedPicture[];
  /** One line for each breach; none where the stream is sound. */
  readonly violations: readonly string[];
}

/** Pictures per second by picture_rate; §2.4.3.2. */
const PICTURE_RATES = [0, 24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60];
const VARIABLE_BIT_RATE = 0x3ffff;
/** Of a stream with constrained_parameters_flag; §2.4.3.2. */
const MAX_CONSTRAINED_F_CODE = 4;
const VARIABLE_DELAY = 0xffff;
/**
 * vbv_delay is a whole number of ticks, and the first one sets the clock: each is rounded by half a tick at most. The
 * rest is the rounding of this verifier's own sums.
 */
const DELAY_TOLERANCE_TICKS = 1 + 1e-6;
const SEQUENCE_HEADER = 0xb3;
const GROUP_HEADER = 0xb8;
const PICTURE = 0x00;

interface Unit {
  start: number;
  picture: number;
}

/** Runs a stream through the verifier. Throws where it is not a stream with a stated bit rate. */
export function verifyVbv(stream: Uint8Array): Verification {
  const codes = startCodes(stream);
  const sequence = codes.find(({ code }) => code === SEQUENCE_HEADER);
  if (!sequence) throw new Error('no sequence header');
  const bits = (at: number, offset: number, length: number) => readBits(stream, at + 4, offset, length);
  const rateField = bits(sequence.at, 32, 18);
  if (rateField === VARIABLE_BIT_RATE) throw new Error('the stream states no bit rate');
  const bitRate = rateField * 400;
  const bufferBits = bits(sequence.at, 51, 10) * 16_384;
  const constrainedParameters = bits(sequence.at, 61, 1) === 1;
  const fill = bitRate / PICTURE_RATES[bits(sequence.at, 28, 4)]!;
  const units = accessUnits(codes);
  const pictures: VerifiedPicture[] = [];
  const violations: string[] = [];
  let occupancy = 0;
  units.forEach((unit, n) => {
    const end = units[n + 1]?.start ?? stream.length;
    const type = (['I', 'P', 'B'] as const)[bits(unit.picture, 10, 3) - 1]!;
    const vbvDelay = bits(unit.picture, 13, 16);
    const headerBits = 8 * (unit.picture - unit.start);
    const size = 8 * (end - unit.start);
    const isConstant = vbvDelay !== VARIABLE_DELAY;
    if (n === 0) occupancy = isConstant ? headerBits + (vbvDelay * bitRate) / 90_000 : bufferBits;
    const before = occupancy;
    const breach = (what: string) => violations.push(`picture ${n} (${type}, ${size} bits): ${what}`);
    const slack = bitRate / 90_000; // what the rounding of the first vbv_delay may hide
    if (before > bufferBits + slack) breach(`overflow: ${Math.round(before)} of ${bufferBits} bits`);
    if (size > before + slack) breach(`underflow: the buffer holds ${Math.round(before)} bits`);
    if (isConstant) {
      const due = ((before - headerBits) * 90_000) / bitRate;
      if (Math.abs(vbvDelay - due) > DELAY_TOLERANCE_TICKS) breach(`vbv_delay ${vbvDelay}, not ${due.toFixed(1)}`);
    } else if ((pictures[0]?.vbvDelay ?? vbvDelay) !== vbvDelay) breach('vbv_delay is constant and variable by turns');
    const fCodes = [...(type === 'I' ? [] : [30]), ...(type === 'B' ? [34] : [])].map(at => bits(unit.picture, at, 3));
    if (constrainedParameters && Math.max(...fCodes) > MAX_CONSTRAINED_F_CODE) breach(`f_code ${fCodes}`);
    const after = before - size;
    pictures.push({ type, headerBits, bits: size, vbvDelay, before, after });
    occupancy = isConstant ? after + fill : Math.min(bufferBits, after + fill);
  });
  return { bitRate, bufferBits, constrainedParameters, pictures, violations };
}

function startCodes(stream: Uint8Array): { at: number; code: number }[] {
  const codes: { at: number; code: number }[] = [];
  for (let at = 0; at + 3 < stream.length; at++) {
    if (stream[at] !== 0 || stream[at + 1] !== 0 || stream[at + 2] !== 1) continue;
    codes.push({ at, code: stream[at + 3]! });
    at += 3;
  }
  return codes;
}

/**
 * Where each picture's headers begin and where its picture start code is. Stuffing belongs to the picture before it.
 */
function accessUnits(codes: readonly { at: number; code: number }[]): Unit[] {
  const units: Unit[] = [];
  let start: number | undefined;
  for (const { at, code } of codes) {
    if (code === SEQUENCE_HEADER || code === GROUP_HEADER) start ??= at;
    if (code !== PICTURE) continue;
    units.push({ start: start ?? at, picture: at });
    start = undefined;
  }
  return units;
}

function readBits(stream: Uint8Array, at: number, offset: number, length: number): number {
  let value = 0;
  for (let bit = offset; bit < offset + length; bit++)
    value = 2 * value + ((stream[at + (bit >> 3)]! >> (7 - (bit & 7))) & 1);
  return value;
}
