// Tests of reading gray images as numbers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readGrayImage } from '../../../src/media/maps/gray-image.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

describe('readGrayImage', () => {
  const raw = (channels: 1 | 3) => ({ raw: { width: 3, height: 2, channels } }) as const;

  it('gives the numbers of 8-bit gray', async () => {
    const values = [0, 1, 55, 127, 254, 255];
    const gray = sharp(Uint8Array.from(values), raw(1));
    await gray.clone().toColourspace('b-w').png().toFile(at('gray8.png'));
    await gray.clone().png({ palette: true }).toFile(at('palette.png'));
    for (const name of ['gray8.png', 'palette.png']) {
      const image = await readGrayImage(at(name));
      expect([name, image.width, image.height, ...image.values]).toEqual([name, 3, 2, ...values]);
    }
  });

  it('gives the numbers of 16-bit gray', async () => {
    const values = [0, 1, 255, 256, 12345, 65535];
    await sharp(Uint16Array.from(values), raw(1)).toColourspace('grey16').png().toFile(at('gray16.png'));
    expect([...(await readGrayImage(at('gray16.png'))).values]).toEqual(values);
  });

  it('gives the numbers of 16-bit colour that is gray', async () => {
    const values = [0, 1, 255, 256, 12345, 65535];
    const tripled = values.flatMap(value => [value, value, value]);
    const write = (name: string) =>
      sharp(Uint16Array.from(tripled), raw(3)).toColourspace('rgb16').png().toFile(at(name));
    await write('rgb16.png');
    const image = await readGrayImage(at('rgb16.png'));
    expect([image.bits, ...image.values]).toEqual([16, ...values]);
    // Colours that differ in their low bytes alone.
    tripled[4] = 2;
    await write('colour16.png');
    await expect(readGrayImage(at('colour16.png'))).rejects.toThrow(/colour16\.png is in colour/);
  });

  it('takes colour that is gray, and refuses any other', async () => {
    const tripled = [0, 9, 55, 127, 254, 255].flatMap(value => [value, value, value]);
    await sharp(Uint8Array.from(tripled), raw(3)).png().toFile(at('rgb.png'));
    expect([...(await readGrayImage(at('rgb.png'))).values]).toEqual([0, 9, 55, 127, 254, 255]);
    tripled[4] = 10;
    await sharp(Uint8Array.from(tripled), raw(3)).png().toFile(at('colour.png'));
    await expect(readGrayImage(at('colour.png'))).rejects.toThrow(/colour\.png is in colour/);
  });

  it('refuses more pels than any frame has, before they are decoded', async () => {
    await sharp({ create: { width: 4096, height: 1, channels: 3, background: '#000' } })
      .png()
      .toFile(at('wide.png'));
    await expect(readGrayImage(at('wide.png'))).rejects.toThrow(/wide\.png is 4096x1; MPEG-1 pictures are 1x1 to /);
  });

  it('names a file that cannot be read', async () => {
    writeFileSync(at('text.png'), 'no picture');
    await expect(readGrayImage(at('text.png'))).rejects.toThrow(/text\.png cannot be decoded/);
    await expect(readGrayImage(at('none.png'))).rejects.toThrow(/none\.png cannot be read/);
  });
});
