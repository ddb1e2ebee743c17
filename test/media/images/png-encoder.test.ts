// Tests of PNG encoding.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeImage } from '../../../src/media/images/image-decoder.js';
import { encodePng } from '../../../src/media/images/png-encoder.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();

it('encodes what a reader gives back', async () => {
  const path = join(folder, 'image.png');
  const image = { width: 5, height: 3, pels: Uint8Array.from({ length: 45 }, (_, i) => (i * 97) % 256) };
  writeFileSync(path, await encodePng(image));
  const { width, height, pels } = await decodeImage(path);
  expect({ width, height, pels: [...pels] }).toEqual({ width: 5, height: 3, pels: [...image.pels] });
});
