// The report of a comparison as one HTML page.
import { counted } from '../../counted.js';
import type { Comparison } from '../comparison/compare-estimators.js';
import type { ComparedRates } from '../comparison/compared-rates.js';
import type { ComparedEncoderOptions } from '../comparison/job.js';
import { escapeHtml } from './escape-html.js';
import { legend } from './legend.js';
import type { ReportPlot } from './plots/plot-figure.js';
import { plotProgram } from './plots/plot-program.js';
import { drawZoomed } from './plots/plot-zoom.js';
import { reportPlots } from './plots/report-plots.js';
import { STAGES } from './plots/stage-plot.js';
import type { ReportFile, ReportOrigin } from './report-origin.js';
import { saveProgram } from './save-program.js';
import { seriesColour, shortName } from './series.js';
import { REPORT_STYLE } from './style.js';
import { bdRateTable, encodeTable, summaryTable } from './tables.js';
import type { ViewerData } from './viewer/viewer-data.js';
import { viewerScripts, viewerSection } from './viewer/viewer-section.js';

/** What a report is made from. */
interface ReportJob {
  /** The input as the user typed it. */
  readonly title: string;
  readonly comparison: Comparison;
  readonly encoder: ComparedEncoderOptions;
  readonly origin: ReportOrigin;
  /** What the reader can save. */
  readonly files: readonly ReportFile[];
  readonly viewer: ViewerData;
}

/** The page may load nothing, not even if a name in it contains HTML. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/** The whole report as one HTML page. It needs no other file, no network and no library. */
export function reportPage(job: ReportJob): string {
  const { title, comparison, files, viewer } = job;
  const plots = reportPlots(comparison, viewer.value);
  const hasViewer = viewer.estimators.length > 0 && viewer.sources.length > 0;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title)}: motion estimators compared</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<main>
${header(job)}
<section class="card tables" aria-label="Figures">
${summaryTable(comparison)}
<details><summary>BD-rates by method</summary><div class="table" tabindex="0" role="group" aria-label="BD-rates by method">${bdRateTable(comparison)}</div></details>
<details><summary>All encodes</summary><div class="table" tabindex="0" role="group" aria-label="All encodes">${encodeTable(comparison)}</div></details>
${saveButtons(files)}
</section>
<section class="figures" aria-label="Plots">
${plots.map(plot => figureSection(plot, comparison)).join('\n')}
</section>
${hasViewer ? viewerSection(viewer) : ''}
${methodSection(job)}
</main>
${files.map(fileScript).join('\n')}
<script>(${saveProgram})();</script>
<script>(${plotProgram})(${drawZoomed});</script>
${hasViewer ? viewerScripts(viewer) : ''}
</body>
</html>
`;
}

function fileScript({ name, packed }: ReportFile): string {
  return `<script type="application/octet-stream" data-file="${escapeHtml(name)}">${packed}</script>`;
}

function saveButtons(files: readonly ReportFile[]): string {
  const buttons = files.map(
    ({ label, name, mediaType }) =>
      `<button class="save-file" data-name="${escapeHtml(name)}" data-media-type="${escapeHtml(mediaType)}">${escapeHtml(label)}</button>`,
  );
  return files.length === 0 ? '' : `<p class="save">Save as ${buttons.join(' ')}</p>`;
}

function header({ title, comparison, encoder, origin }: ReportJob): string {
  const { width, height, frames, framesPerSecond, settings, runs, interrupted } = comparison;
  const { cpu, threads, gpu } = origin.machine;
  const facts = [
    `${frames} pictures, ${width}×${height}, ${Number(framesPerSecond.toFixed(3))} a second`,
    settingsText(settings),
    counted(runs, 'timed run'),
    ...Object.entries({ ...encoder, tools: undefined, ...encoder.tools })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name} ${optionText(value)}`),
    `${cpu}, ${counted(threads, 'thread')}${gpu === null ? '' : `, ${gpu}`}`,
    `mpegpu ${origin.version}, ${origin.date.slice(0, 10)}`,
  ];
  return `<header>
<p class="eyebrow">mpegpu compare</p>
<h1>${escapeHtml(shortName(title))}</h1>
<ul class="facts">${facts.map(fact => `<li>${escapeHtml(fact)}</li>`).join('')}</ul>
${interrupted ? '<p class="notice">The comparison was interrupted. Figures that were not finished are missing.</p>' : ''}
</header>`;
}

function settingsText({ option, values }: ComparedRates): string {
  if (option === 'q') return `quantizer_scale (q) ${values.join(', ')}`;
  if (option === 'quality') return `constant quality ${values.join(', ')}`;
  return `mean bit rate ${values.map(value => value / 1000).join(', ')} kbit/s`;
}

function optionText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' && value !== null ? Object.values(value).join('×') : String(value);
}

function figureSection(plot: ReportPlot, comparison: Comparison): string {
  const { id, title, note, frameCount } = plot;
  const help = `${title}: plus and minus zoom, arrow keys move, 0 shows everything`;
  const variant = (name: 'wide' | 'narrow') => {
    const { svg, width, axes } = plot[name];
    const [first = 0, last = width] = axes.x?.range ?? [];
    const ends = `data-from="${first / width}" data-to="${last / width}" data-first="${first / width}" data-last="${last / width}"`;
    const cursor = frameCount === undefined ? '' : `<i class="cursor" ${ends} data-count="${frameCount}"></i>`;
    const kind = frameCount === undefined ? '' : ' over-pictures';
    return `<div class="plot-area ${name}${kind}" tabindex="0" role="group" aria-label="${escapeHtml(help)}" data-axes="${escapeHtml(JSON.stringify(axes))}">${svg}${cursor}</div>`;
  };
  const tool = (name: string, text: string, words: string) =>
    `<button class="${name}" aria-label="${escapeHtml(`${words}: ${title}`)}" title="${words}">${text}</button>`;
  return `<figure class="card" id="plot-${id}" aria-labelledby="title-${id}">
<div class="head"><h2 id="title-${id}">${escapeHtml(title)}</h2>
<div class="tools">${tool('zoom-out', '−', 'Zoom out')}${tool('zoom-in', '+', 'Zoom in')}${tool('zoom-whole', 'All', 'Show everything')}${tool('save-svg', 'SVG', 'Save as SVG')}</div></div>
<p class="note">${escapeHtml(note)}</p>
${variant('wide')}
${variant('narrow')}
${id === 'stages' ? legend(STAGES.map(({ label, colour }) => [label, colour])) : estimatorLegend(comparison)}
</figure>`;
}

function estimatorLegend({ rows }: Comparison): string {
  return legend(
    rows.flatMap((row, index) =>
      row.encodes.length > 0 ? [[shortName(row.estimator), seriesColour(index)] as const] : [],
    ),
  );
}

function methodSection({ title, comparison, origin }: ReportJob): string {
  const { rows, width, height, frames, vmafLeftOut } = comparison;
  const vmaf =
    vmafLeftOut === undefined
      ? 'VMAF is that of ffmpeg with libvmaf.'
      : `VMAF is left out: ${escapeHtml(vmafLeftOut)}.`;
  const first = escapeHtml(shortName(rows[0]?.estimator ?? ''));
  const { version, date, commandLine, inputBytes, machine } = origin;
  const bytes = inputBytes === null ? '' : `, ${inputBytes.toLocaleString('en')} bytes`;
  const made = [
    ['Command', commandLine],
    ['Input', `${title}: ${frames} pictures of ${width}×${height}${bytes}`],
    ['Made', `${date} by mpegpu ${version}`],
    ['Machine', `${machine.cpu}, ${counted(machine.threads, 'thread')}; GPU: ${machine.gpu ?? 'none'}`],
    ['Software', `Node ${machine.node.replace(/^v/, '')}; ffmpeg ${machine.ffmpeg ?? 'none'}`],
  ].map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text!)}</dd>`);
  return `<section class="method" aria-label="Method">
<dl class="made">${made.join('')}</dl>
<p>All estimators encoded the same decoded frames from memory. Each encode ran once to measure its quality, and then in
timed runs, in which the estimators took turns. Figures are the median, followed by the lowest and the highest value.
Search time is the time of the search alone, one picture after another. SAD a pel is the mean absolute luma difference
after full-pel motion compensation. Waiting is the share of an encode's time in which the coder waited for vectors.
BD-rate compares bits at equal PSNR-Y with those of ${first}; BD-rate, SSIM does so at equal SSIM-Y in dB,
−10 log10(1 − SSIM). Axes of SSIM have the scale of these dB. ${vmaf}</p>
<p>Times are those of this machine; only their ratios can be compared with another machine. The residual is the luma
difference of a picture and its prediction, doubled, about mid-gray. Intra macroblocks have none. The estimator's
vector is the best that it answered for the picture and its anchor, in full pels; the coder compares it with others and
refines to half a pel. In plots, drag to select a part, or zoom with the wheel while Ctrl is held.</p>
</section>`;
}
