// Vectors against true motion: optical flow and a stereo pair.
import { join } from 'node:path';
import { SEQUENCES } from './clips.mjs';
import { PUBLISHED_TRUTH } from './comparison-published.mjs';
import { ESTIMATORS, mpegpu, percent, Rows } from './comparison-rows.mjs';
import { fixed, table } from './table.mjs';

/** The section: errors of the vectors for optical flow and for a stereo pair. */
export async function truth() {
  const lines = new Rows();
  const flowHeader = [
    'estimator',
    ...['rubberwhale', 'urban2'].flatMap(clip => [`${clip}: mean`, 'median', '> 1 pel', '> 3 pels']),
  ];
  const flowRows = [];
  const stereoHeader = ['estimator', 'off by > 1 pel', 'off by > 2 pels', 'mean error'];
  const stereoRows = [];
  const cones = join(SEQUENCES, 'stereo_cones');
  for (const estimator of ESTIMATORS) {
    const errors = [];
    for (const name of ['flow_rubberwhale', 'flow_urban2']) {
      const folder = join(SEQUENCES, name);
      const args = ['estimate', join(folder, 'frame1*.png'), '--truth', join(folder, 'flow10.flo')];
      errors.push(await mpegpu([...args, '--block', '8', '--estimator', estimator]));
    }
    const cells = ({ report }) => {
      const { mean, median, above1, above3 } = report.endpointError;
      return [fixed(mean, 3), fixed(median, 3), percent(above1), percent(above3)];
    };
    const failed = errors.find(({ reason }) => reason);
    flowRows.push(lines.row(flowHeader, estimator, failed ?? { report: errors }, results => results.flatMap(cells)));
    const stereo = await mpegpu([
      ...['estimate', join(cones, '[LR].png'), '--disparity', join(cones, 'gt_disparity_L.png')],
      ...['--mask', join(cones, 'mask_L.png'), '--block', '8', '--range', '64x0', '--estimator', estimator],
    ]);
    stereoRows.push(
      lines.row(stereoHeader, estimator, stereo, ({ badPixels }) => [
        percent(badPixels.above1),
        percent(badPixels.above2),
        fixed(badPixels.meanError, 3),
      ]),
    );
  }
  return `## Vectors and true motion

One full-pel vector a block of 8×8, chosen for its SAD alone. Block matching looks for a cheap prediction, not for the true motion, and full pels
alone leave up to half a pel of error.

Endpoint error in pels on Middlebury's flow_rubberwhale and flow_urban2 (frame 10 searched in frame 11):

${table(flowHeader, flowRows)}

Bad pixels on stereo_cones (450×375, disparity as motion, range 64×0, masked pels left out):

${table(stereoHeader, stereoRows)}
${lines.missingLine()}
${PUBLISHED_TRUTH}
`;
}
