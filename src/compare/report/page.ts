// The report of a comparison as one HTML page.
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../../bitstream/tables/macroblock-codes.js';
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import type { Comparison } from '../comparison/compare-estimators.js';
import type { ComparedEncoderOptions } from '../comparison/job.js';
import { escapeHtml, scriptJson } from './escape-html.js';
import type { ReportPlot } from './plot-figure.js';
import { reportPlots } from './plots.js';
import { seriesColour, shortName } from './series.js';
import { STAGES } from './stage-plot.js';
import { REPORT_STYLE } from './style.js';
import { encodeTable, summaryTable } from './tables.js';
import type { ViewerData } from './viewer-data.js';
import { type ViewerConstants, viewerProgram } from './viewer-script.js';

/** What a report is made from. */
interface ReportJob {
  /** The input's name. */
  readonly title: string;
  readonly comparison: Comparison;
  readonly encoder: ComparedEncoderOptions;
  readonly machine: { readonly cpu: string; readonly threads: number; readonly node: string };
  readonly viewer: ViewerData;
}

/** The page may load nothing, not even if a name in it contains HTML. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/** The kinds of macroblocks that the viewer colours, and those of B pictures. */
const KINDS = {
  intra: 'intra',
  forward: 'predicted with a vector',
  still: 'predicted without a vector',
};
const B_KINDS = {
  backward: 'predicted from the next anchor',
  both: 'predicted from both anchors',
};

/** What the viewer's program must know of MPEG-1. */
const VIEWER_CONSTANTS: ViewerConstants = {
  macroblockSize: MACROBLOCK_SIZE,
  intra: MACROBLOCK_INTRA,
  forward: MACROBLOCK_MOTION_FORWARD,
  backward: MACROBLOCK_MOTION_BACKWARD,
};

/** The whole report as one HTML page. It needs no other file, no network and no library. */
export function reportPage(job: ReportJob): string {
  const { title, comparison, viewer } = job;
  const plots = reportPlots(comparison, viewer.q);
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
<section class="card tables">
${summaryTable(comparison)}
<details><summary>All encodes</summary><div class="table">${encodeTable(comparison)}</div></details>
</section>
<section class="figures">
${plots.map(plot => figureSection(plot, comparison)).join('\n')}
</section>
${hasViewer ? viewerSection(viewer) : ''}
${methodSection(job)}
</main>
${hasViewer ? viewerScripts(viewer) : ''}
</body>
</html>
`;
}

function viewerScripts(viewer: ViewerData): string {
  return `<script type="application/json" id="viewer-data">${scriptJson(viewer)}</script>
<script>(${viewerProgram})(${scriptJson(VIEWER_CONSTANTS)});</script>`;
}

function header({ title, comparison, encoder, machine }: ReportJob): string {
  const { width, height, frames, framesPerSecond, quantizers, runs, interrupted } = comparison;
  const facts = [
    `${frames} pictures, ${width}×${height}, ${Number(framesPerSecond.toFixed(3))} a second`,
    `quantizer_scale (q) ${quantizers.join(', ')}`,
    `${runs} timed run${runs === 1 ? '' : 's'}`,
    ...Object.entries({ ...encoder, tools: undefined, ...encoder.tools })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name} ${optionText(value)}`),
    `${machine.cpu}, ${machine.threads} threads, Node ${machine.node.replace(/^v/, '')}`,
  ];
  return `<header>
<p class="eyebrow">mpegpu compare</p>
<h1>${escapeHtml(shortName(title))}</h1>
<ul class="facts">${facts.map(fact => `<li>${escapeHtml(fact)}</li>`).join('')}</ul>
${interrupted ? '<p class="notice">The comparison was interrupted. Figures that were not finished are missing.</p>' : ''}
</header>`;
}

function optionText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' && value !== null ? Object.values(value).join('×') : String(value);
}

function figureSection(plot: ReportPlot, comparison: Comparison): string {
  const { id, title, note, wide, narrow, frames } = plot;
  const variant = (name: 'wide' | 'narrow', svg: string) => {
    if (!frames) return `<div class="${name}">${svg}</div>`;
    const [first, last] = frames[name];
    const cursor = `<i class="cursor" data-first="${first}" data-last="${last}" data-count="${frames.count}"></i>`;
    return `<div class="${name} over-pictures">${svg}${cursor}</div>`;
  };
  return `<figure class="card" id="plot-${id}">
<h2>${escapeHtml(title)}</h2>
<p class="note">${escapeHtml(note)}</p>
${variant('wide', wide)}
${variant('narrow', narrow)}
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

function legend(entries: readonly (readonly [label: string, colour: string])[]): string {
  const items = entries.map(
    ([label, colour]) => `<li><span class="swatch" style="--colour:${colour}"></span>${escapeHtml(label)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

function viewerSection({ estimators, sources, q, clipFrames, width, height, directionColours }: ViewerData): string {
  const pane = (chosen: number) => {
    const options = estimators.map(
      ({ label }, index) =>
        `<option value="${index}"${index === chosen ? ' selected' : ''}>${escapeHtml(shortName(label))}</option>`,
    );
    const label = chosen === 0 ? 'First estimator' : 'Second estimator';
    return `<div class="pane">
<select aria-label="${label}">${options.join('')}</select>
<canvas tabindex="0" style="aspect-ratio:${width}/${height}"></canvas>
<p class="caption"></p>
</div>`;
  };
  const cut =
    sources.length < clipFrames ? ` The viewer has the first ${sources.length} of ${clipFrames} pictures.` : '';
  const isBidirectional = estimators.some(({ pictures }) => pictures.some(({ type }) => type === 'B'));
  const kinds = Object.entries(isBidirectional ? { ...KINDS, ...B_KINDS } : KINDS).map(
    ([kind, label]) => [label, `var(--kind-${kind})`] as const,
  );
  return `<section class="card" id="viewer">
<div class="head">
<div><h2>Pictures at q ${q}</h2><p class="note">Click a curve above to see its picture.${cut}</p></div>
<fieldset class="layers">
<label><input type="radio" name="base" id="layer-picture" checked>Source</label>
<label><input type="radio" name="base" id="layer-residual">Residual</label>
<label><input type="checkbox" id="layer-vectors" checked>Vectors</label>
<label><input type="checkbox" id="layer-types">Macroblock types</label>
</fieldset>
</div>
<div class="panes">
${pane(0)}
${pane(Math.min(1, estimators.length - 1))}
</div>
<div class="transport">
<button id="previous" aria-label="Previous picture">←</button>
<button id="play" aria-pressed="false">Play</button>
<button id="next" aria-label="Next picture">→</button>
<input type="range" id="frame" min="0" max="${sources.length - 1}" value="0" aria-label="Picture">
<output id="position"></output>
</div>
<div class="viewer-foot">
${legend(kinds).replace('</ul>', `<li><span class="wheel" style="background:conic-gradient(from 90deg,${directionColours.join(',')})"></span>direction of a vector</li></ul>`)}
<span><kbd>←</kbd> <kbd>→</kbd> step &nbsp; <kbd>space</kbd> play &nbsp; <kbd>v</kbd> vectors &nbsp; <kbd>t</kbd> types &nbsp; <kbd>r</kbd> residual</span>
</div>
</section>`;
}

function methodSection({ comparison: { rows } }: ReportJob): string {
  const first = rows[0]?.estimator ?? '';
  return `<section class="method">
<p>All estimators encoded the same decoded frames from memory. Each encode ran once to measure its quality, and then in
timed runs, in which the estimators took turns. Figures are the median, followed by the lowest and the highest value.
Search time is the time of the search alone, one picture after another. SAD a pel is the mean absolute luma difference
after full-pel motion compensation. Waiting is the share of an encode's time in which the coder waited for vectors.
BD-rate compares bits at equal PSNR-Y with those of ${escapeHtml(shortName(first))}.</p>
<p>Times are those of this machine; only their ratios can be compared with another machine. The residual is the luma
difference of a picture and its prediction, doubled, about mid-gray. Intra macroblocks have none.</p>
</section>`;
}
