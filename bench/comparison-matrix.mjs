// Measures every estimator on every clip, for docs/comparison.md.
import { clipAsY4m, listClips, SEQUENCES } from './clips.mjs';
import { ESTIMATORS, mpegpu, OWN_VECTORS, Rows } from './comparison-rows.mjs';
import { fixed, table } from './table.mjs';

/** Clips whose search takes long, and the number of frames that is enough. */
const FEW_FRAMES = { autumntree_1080p: 5, crowdrun_720p: 7, city_704x576: 13 };

/** The section, with at most `maxPictures` pictures of each clip; `only` selects clips by name. */
export async function matrix(maxPictures, only) {
  const lines = new Rows();
  const clips = listClips(SEQUENCES, only);
  const columns = { bdRate: [], sad: [], agreement: [], search: [] };
  for (const clip of clips) {
    const frames = Math.min(maxPictures, FEW_FRAMES[clip.name] ?? Number.POSITIVE_INFINITY);
    const y4m = await clipAsY4m(clip, frames);
    process.stderr.write(`${clip.name}\n`);
    const args = ['compare', y4m, '--estimators', ESTIMATORS.join(','), '--repeat', '1', ...OWN_VECTORS];
    const { report, reason } = await mpegpu(args);
    if (!report) throw new Error(`${clip.name}: ${reason}`);
    const name = `${clip.name}, ${report.frames}`;
    const cells = cell => report.estimators.map(row => (row.outcome === 'finished' ? cell(row) : 'n/a'));
    columns.bdRate.push([name, ...cells(row => fixed(row.bdRatePercent, 2))]);
    columns.sad.push([
      name,
      fixed(report.estimators[0].sadPerPelBefore, 3),
      ...cells(row => fixed(row.sadPerPelAfter, 3)),
    ]);
    columns.agreement.push([name, ...cells(row => fixed(100 * row.agreement, 1))]);
    columns.search.push([name, ...cells(row => fixed(row.searchMs.median, 2))]);
    for (const row of report.estimators) lines.note(row);
  }
  columns.bdRate.push(meanRow(columns.bdRate));
  return `## Estimators and clips

\`mpegpu compare CLIP --estimators ${ESTIMATORS.join(',')} --repeat 1 ${OWN_VECTORS.join(' ')}\`,
the defaults otherwise (range ±128×±64): the coder gets no vectors but the estimator's, the zero and the predicted one. The number after a clip's name is
that of its pictures. Judge gains by the raw clips (akiyo, coastguard, foreman_bmp, city, basketballpass): the others were decoded from lossy files, which
favour the vectors of their first encoder.
${lines.missingLine()}
BD-rate in % against cpu-log (bits at equal PSNR-Y, q 2, 4, 8, 14; less is better):

${table(['clip', ...ESTIMATORS], columns.bdRate)}

Mean absolute luma difference of a pel after full-pel compensation of neighbouring pictures:

${table(['clip', 'before', ...ESTIMATORS], columns.sad)}

Blocks whose vector is that of the full search, in %:

${table(['clip', ...ESTIMATORS], columns.agreement)}

Search time in ms a picture, one after another, one thread (one run: compare within a row):

${table(['clip', ...ESTIMATORS], columns.search)}
`;
}

function meanRow(rows) {
  const mean = column => {
    const values = rows.map(row => Number(row[column])).filter(Number.isFinite);
    return values.length === 0 ? 'n/a' : fixed(values.reduce((sum, value) => sum + value, 0) / values.length, 2);
  };
  return ['mean', ...rows[0].slice(1).map((_, i) => mean(i + 1))];
}
