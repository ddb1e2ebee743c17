// What the colours of the layers mean.
import type { CodedMacroblocks } from '../../src/bitstream/reading/coded-macroblocks.ts';
import { directionColour } from '../../src/viewer/direction-colour.ts';
import type { LayerName } from '../../src/viewer/draw-layers.ts';
import { heatColour } from '../../src/viewer/draw-macroblocks.ts';
import { KIND_NAMES, type MacroblockKind } from '../../src/viewer/macroblock-kind.ts';
import { element } from '../page.ts';

/** JSMpeg shows no B pictures, so there are none. */
const KINDS: readonly MacroblockKind[] = ['intra', 'forward', 'still'];
const STEPS = 24;

/** The entries for the layers that are shown. */
export function legendOf(layers: ReadonlySet<LayerName>, macroblocks: CodedMacroblocks | undefined): HTMLElement[] {
  const steps = Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS);
  const heat = `linear-gradient(90deg, ${steps.map(heatColour).join(', ')})`;
  const entries: HTMLElement[] = [];
  if (layers.has('vectors')) {
    const colours = steps.map(step => {
      const turn = 2 * Math.PI * step;
      return `rgb(${directionColour(Math.cos(turn), Math.sin(turn)).join(' ')})`;
    });
    entries.push(entry(`conic-gradient(from 90deg, ${colours.join(', ')})`, 'vector, by direction', 'wheel'));
  }
  if (layers.has('searched')) entries.push(entry('#fff', "estimator's vector, from the picture before", 'line'));
  if (layers.has('types')) {
    entries.push(...KINDS.map(kind => entry(`var(--kind-${kind})`, KIND_NAMES[kind])));
    entries.push(entry('transparent', 'no colour: skipped'));
  }
  if (layers.has('bits')) entries.push(entry(heat, `0 to ${Math.max(0, ...(macroblocks?.bits ?? []))} bits`, 'heat'));
  if (layers.has('scales')) entries.push(entry(heat, 'scale 1, fine, to 31, coarse', 'heat'));
  return entries;
}

function entry(background: string, text: string, kind = ''): HTMLElement {
  return element('span', {}, element('i', { class: kind, style: `background: ${background}` }), text);
}
