// The cost of macroblocks by their error: as its definition gives it.
import { expect, it } from 'vitest';
import { SourceCosts } from '../../../src/encoder/lookahead/analysis/source-costs.js';
import { CodingCosts } from '../../../src/encoder/lookahead/coding-cost.js';
import { macroblockGrid } from '../../../src/picture/picture.js';
import { seededRandom } from '../../kernels/kernel-pair.js';

it.each([0.5, 1.22, 7.3, 40])(
  'costs are the distortion, or the rate and the quantizer: quantizer error %f',
  async error => {
    const random = seededRandom(7);
    const sad = Uint16Array.from({ length: 500 }, () => random() % 65281);
    const intra = Uint16Array.from({ length: 500 }, () => random() % 32641);
    const costs = new CodingCosts(error);
    const source = await SourceCosts.create(macroblockGrid(400, 320), 1, 'simd');
    for (const noise of [0, 2, 9]) {
      for (const anchors of [1, 2] as const) {
        const total = sad.reduce((sum, own, i) => {
          const squared = (Math.min(own, intra[i]!) / 256 / error) ** 2;
          const lost = Math.min(1, (noise / error) ** 2, squared / (1 + 1 / anchors));
          const p = squared + (0.27 - 2 * lost) / anchors;
          return sum + (p < 1 ? p : 1 + Math.log(p));
        }, 0);
        expect(costs.mean({ sad, intra, noise }, anchors, source)).toBeCloseTo(total / 500, 9);
      }
    }
  },
);
