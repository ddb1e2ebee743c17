// Makes frames of MPEG-1 Layer II without sense: headers are right, the rest is noise.
import type { SoundFormat } from '../../../src/media/sound/layer-two.js';

const KILOBITS = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
const RATES = [44_100, 48_000, 32_000];

/** Frame `index` of a sound, padded so that the bit rate is kept; its number is written into it. */
export function soundFrame({ sampleRate, channels, bitRate }: SoundFormat, index: number): Uint8Array {
  const bytesUntil = (count: number) => Math.floor((count * 144 * bitRate) / sampleRate);
  const bytes = bytesUntil(index + 1) - bytesUntil(index);
  const padding = bytes - Math.floor((144 * bitRate) / sampleRate);
  const rates = (KILOBITS.indexOf(bitRate / 1000) << 4) | (RATES.indexOf(sampleRate) << 2) | (padding << 1);
  const data = new Uint8Array(bytes).fill(0x55);
  data.set([0xff, 0xfd, rates, channels === 1 ? 0xc0 : 0x00]);
  new DataView(data.buffer).setUint32(4, index);
  return data;
}

/** The number that `soundFrame` has written into a frame at `offset`. */
export function frameNumber(data: Uint8Array, offset: number): number {
  return new DataView(data.buffer, data.byteOffset).getUint32(offset + 4);
}
