// The viewer of pictures in the report page: its HTML and its program.
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../../../bitstream/tables/macroblock-codes.js';
import { MACROBLOCK_SIZE } from '../../../picture/picture.js';
import { escapeHtml, scriptJson } from '../escape-html.js';
import { legend } from '../legend.js';
import { shortName } from '../series.js';
import { drawVectors } from './draw-vectors.js';
import { pictureZoom } from './picture-zoom.js';
import type { ViewerData } from './viewer-data.js';
import { type ViewerConstants, viewerProgram } from './viewer-program.js';

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

/** The program of the viewer and its data. */
export function viewerScripts(viewer: ViewerData): string {
  return `<script type="application/json" id="viewer-data">${scriptJson(viewer)}</script>
<script>(${viewerProgram})(${scriptJson(VIEWER_CONSTANTS)}, ${drawVectors}, ${pictureZoom});</script>`;
}

/** What the reader sees of it. */
export function viewerSection({
  estimators,
  sources,
  setting,
  clipFrames,
  width,
  height,
  directionColours,
}: ViewerData): string {
  const pane = (chosen: number) => {
    const options = estimators.map(
      ({ label }, index) =>
        `<option value="${index}"${index === chosen ? ' selected' : ''}>${escapeHtml(shortName(label))}</option>`,
    );
    const label = chosen === 0 ? 'First estimator' : 'Second estimator';
    return `<div class="pane">
<select aria-label="${label}">${options.join('')}</select>
<canvas tabindex="0" role="img" aria-label="Picture" style="aspect-ratio:${width}/${height}"></canvas>
<p class="caption" aria-live="polite"></p>
</div>`;
  };
  const cut =
    sources.length < clipFrames ? ` The viewer has the first ${sources.length} of ${clipFrames} pictures.` : '';
  const isBidirectional = estimators.some(({ pictures }) => pictures.some(({ type }) => type === 'B'));
  const kinds = Object.entries(isBidirectional ? { ...KINDS, ...B_KINDS } : KINDS).map(
    ([kind, label]) => [label, `var(--kind-${kind})`] as const,
  );
  const wheel = `<li><span class="wheel" style="background:conic-gradient(from 90deg,${directionColours.join(',')})"></span>coded vector, by direction</li>`;
  const searched = '<li><span class="thick"></span>best vector of the estimator for the same two pictures</li>';
  return `<section class="card" id="viewer" aria-labelledby="viewer-title">
<div class="head">
<div><h2 id="viewer-title">Pictures at ${setting}</h2><p class="note">Click a curve above to see its picture.${cut}</p></div>
<fieldset class="layers" aria-label="Layers">
<label><input type="radio" name="base" id="layer-picture" checked>Source</label>
<label><input type="radio" name="base" id="layer-residual">Residual</label>
<label><input type="checkbox" id="layer-vectors" checked>Coded vectors</label>
<label><input type="checkbox" id="layer-searched">Estimator's vectors</label>
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
<span class="tools" role="group" aria-label="Zoom of the pictures">
<button id="zoom-out" aria-label="Zoom out">−</button>
<output id="zoom"></output>
<button id="zoom-in" aria-label="Zoom in">+</button>
<button id="zoom-whole" aria-label="Show the whole picture">All</button>
</span>
</div>
<div class="viewer-foot">
${legend(kinds, wheel + searched)}
<span><kbd>←</kbd> <kbd>→</kbd> step &nbsp; <kbd>space</kbd> play &nbsp; <kbd>v</kbd> coded vectors &nbsp; <kbd>e</kbd> the estimator's &nbsp; <kbd>t</kbd> types &nbsp; <kbd>r</kbd> residual &nbsp; <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom; drag or <kbd>Shift</kbd> and arrows move</span>
</div>
</section>`;
}
