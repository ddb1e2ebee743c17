// The viewer of pictures in the report page: its HTML and its program.
import { directionColour } from '../../../viewer/direction-colour.js';
import { heatColour } from '../../../viewer/draw-macroblocks.js';
import { KIND_NAMES, type MacroblockKind } from '../../../viewer/macroblock-kind.js';
import { escapeHtml, scriptJson } from '../escape-html.js';
import { legend } from '../legend.js';
import { shortName } from '../series.js';
import type { ViewerData } from './viewer-data.js';
import { VIEWER_SCRIPT } from './viewer-script.js';

/** The kinds of macroblocks that the viewer colours, and those of B pictures. */
const KINDS: readonly MacroblockKind[] = ['intra', 'forward', 'still'];
const B_KINDS: readonly MacroblockKind[] = [...KINDS, 'backward', 'both'];
/** Colours of the legends' wheel and bar. */
const STEPS = 24;

/** The program of the viewer and its data. */
export function viewerScripts(viewer: ViewerData): string {
  return `<script type="application/json" id="viewer-data">${scriptJson(viewer)}</script>
<script>${VIEWER_SCRIPT}</script>`;
}

/** What the reader sees of it. */
export function viewerSection({ estimators, sources, setting, clipFrames, width, height }: ViewerData): string {
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
<p class="values" aria-live="polite"></p>
</div>`;
  };
  const cut =
    sources.length < clipFrames ? ` The viewer has the first ${sources.length} of ${clipFrames} pictures.` : '';
  const isBidirectional = estimators.some(({ pictures }) => pictures.some(({ type }) => type === 'B'));
  const kinds = (isBidirectional ? B_KINDS : KINDS).map(kind => [KIND_NAMES[kind], `var(--kind-${kind})`] as const);
  const turns = Array.from({ length: STEPS + 1 }, (_, i) => (2 * Math.PI * i) / STEPS);
  const colours = turns.map(turn => `rgb(${directionColour(Math.cos(turn), Math.sin(turn)).join(' ')})`);
  const wheel = `<li><span class="wheel" style="background:conic-gradient(from 90deg,${colours.join(',')})"></span>coded vector, by direction</li>`;
  const heats = turns.map((_, i) => heatColour(i / STEPS));
  const heat = `<li><span class="heat" style="background:linear-gradient(90deg,${heats.join(',')})"></span>few to many bits; scale 1 to 31</li>`;
  const searched = '<li><span class="thick"></span>best vector of the estimator for the same two pictures</li>';
  return `<section class="card" id="viewer" aria-labelledby="viewer-title">
<div class="head">
<div><h2 id="viewer-title">Pictures at ${setting}</h2><p class="note">Click a curve above to see its picture, and a macroblock to see its values.${cut}</p></div>
<fieldset class="layers" aria-label="Layers">
<label><input type="radio" name="base" id="layer-picture" checked>Source</label>
<label><input type="radio" name="base" id="layer-residual">Residual</label>
<label><input type="checkbox" id="layer-vectors" checked>Coded vectors</label>
<label><input type="checkbox" id="layer-searched">Estimator's vectors</label>
<label><input type="checkbox" id="layer-types">Macroblock types</label>
<label><input type="checkbox" id="layer-bits">Bits</label>
<label><input type="checkbox" id="layer-scales">Scale</label>
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
${legend(kinds, wheel + searched + heat)}
<span><kbd>←</kbd> <kbd>→</kbd> step &nbsp; <kbd>space</kbd> play &nbsp; <kbd>v</kbd> coded vectors &nbsp; <kbd>e</kbd> the estimator's &nbsp; <kbd>t</kbd> types &nbsp; <kbd>b</kbd> bits &nbsp; <kbd>q</kbd> scale &nbsp; <kbd>r</kbd> residual &nbsp; <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom; drag or <kbd>Shift</kbd> and arrows move; <kbd>Enter</kbd> on a picture and arrows choose a macroblock</span>
</div>
</section>`;
}
