// Powers and logarithms that are the same on every machine: those of Math and ** differ from engine to engine.

/*
 * ECMAScript leaves the last bits of Math.log, Math.exp and ** to the engine: those of Node 20 and 24 differ, those of
 * x64 and arm64, those of Deno and Bun. Here are only operations that IEEE 754 rounds in one way. Numbers have
 * magnitudes of 2^-1022 and more.
 */

/** Exponents are taken in such steps, as a whole number of 32 bits tells how many octaves it has. */
const STEP = 30;
const STEP_FACTOR = 2 ** STEP;
/** Where the series end: the rest is less than a double holds. */
const LAST_POWER = 21;
const LAST_DEGREE = 14;
const OCTAVES_OF_TEN = log2(10);

/** The logarithm to base 2 of a number from 0 on, off by 2^-51 of it at most; exact of powers of two. NaN of others. */
export function log2(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let mantissa = x;
  let exponent = 0;
  for (; mantissa >= STEP_FACTOR; exponent += STEP) mantissa /= STEP_FACTOR;
  for (; mantissa < 1; exponent -= STEP) mantissa *= STEP_FACTOR;
  const octaves = 31 - Math.clz32(mantissa);
  mantissa /= 1 << octaves;
  exponent += octaves;
  if (mantissa > Math.SQRT2) {
    mantissa /= 2;
    exponent++;
  }
  // ln(m) = 2 artanh((m - 1) / (m + 1)), by its series
  const quotient = (mantissa - 1) / (mantissa + 1);
  const square = quotient * quotient;
  let sum = 0;
  for (let power = LAST_POWER; power > 0; power -= 2) sum = sum * square + 1 / power;
  return exponent + 2 * Math.LOG2E * quotient * sum;
}

/** 2^x, off by 2^-51 of it at most; exact where x is whole; 0 below 2^-1022, Infinity above 2^1023. */
export function exp2(x: number): number {
  if (!(x <= 1023)) return x > 1023 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x < -1022) return 0;
  let exponent = Math.round(x);
  const logarithm = (x - exponent) * Math.LN2;
  let value = 1;
  for (let degree = LAST_DEGREE; degree > 0; degree--) value = 1 + (value * logarithm) / degree;
  for (; exponent > STEP; exponent -= STEP) value *= STEP_FACTOR;
  for (; exponent < -STEP; exponent += STEP) value /= STEP_FACTOR;
  return exponent < 0 ? value / (1 << -exponent) : value * (1 << exponent);
}

/** base^exponent for a base from 0 on, off by 2^-48 of it at most; 1, and the base itself, for exponents 0 and 1. */
export function power(base: number, exponent: number): number {
  if (exponent === 0) return 1;
  if (base === 0 || !Number.isFinite(exponent)) return exp2(exponent * log2(base));
  const whole = Math.floor(exponent);
  let product = exp2((exponent - whole) * log2(base));
  let square = whole < 0 ? 1 / base : base;
  for (let left = Math.abs(whole); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) product *= square;
    square *= square;
  }
  return product;
}

/** The smallest power of two from a whole number 1..2^30 on. */
export function nextPowerOfTwo(number: number): number {
  return 1 << (32 - Math.clz32(number - 1));
}

/** A ratio of powers in decibels. */
export function decibels(ratio: number): number {
  return (10 * log2(ratio)) / OCTAVES_OF_TEN;
}
