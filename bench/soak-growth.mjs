// Whether what an encode holds grows with the number of pictures.

/** What may not grow: the lower quartile of memory, by more than MAX_GROWTH, and the peak of counts. */
export const MEMORY = ['lastingBytes', 'heapBytes', 'bufferBytes'];
export const COUNTS = ['files', 'threads'];
const MAX_GROWTH = 0.05;
/** The parts of an encode that are compared: its second quarter and its last. A leak grows from one to the other. */
const EARLY = [0.25, 0.5];
const LATE = [0.75, 1];

/** The names of what grows with the number of pictures, and of all where samples of the early quarter are missing. */
export function whatGrows(samples, pictures) {
  const memory = MEMORY.filter(key => !(growthOf(samples, key, pictures).growth <= MAX_GROWTH));
  const counts = COUNTS.filter(key => {
    const { early, late } = peaksOf(samples, key, pictures);
    return late > early;
  });
  return [...memory, ...counts];
}

/**
 * The lower quartile of `key` over the early samples and over the late ones, and the growth from one to the other. It
 * is what is held in any case: a sample may meet several MiB of buffers in use, up to half of the samples do.
 */
export function growthOf(samples, key, pictures) {
  const quartile = part => {
    const values = valuesIn(part, samples, key, pictures).sort((a, b) => a - b);
    return values[values.length >> 2];
  };
  const [early, late] = [quartile(EARLY), quartile(LATE)];
  return { early, late, growth: late / early - 1 };
}

/** The largest value of `key` in the early samples and in the late ones. */
export function peaksOf(samples, key, pictures) {
  const peak = part => Math.max(...valuesIn(part, samples, key, pictures));
  return { early: peak(EARLY), late: peak(LATE) };
}

function valuesIn([from, to], samples, key, pictures) {
  return samples
    .filter(({ picture }) => picture >= from * pictures && picture <= to * pictures)
    .map(sample => sample[key]);
}
