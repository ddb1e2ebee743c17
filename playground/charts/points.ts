// The runs of a clip: a point each, quality against bits, and a table.
import { byId, element, shape } from '../page.ts';
import type { RunFigures } from '../run/run.ts';
import { type Settings, settingsText } from '../settings.ts';
import { short, stepOf } from './curve.ts';

/** Drawn as wide as the page has room for, in CSS pixels. */
const WIDTHS = [260, 560] as const;
const HEIGHT = 240;
const LEFT = 40;
const BOTTOM = 34;
const TOP = 14;
const RIGHT = 18;
const COLOURS = 6;
/** Where a perfect run is drawn, in dB. */
const PERFECT_DB = 100;

/** A run that is complete. */
interface Point {
  readonly settings: Settings;
  readonly figures: RunFigures;
}

/** Keeps the runs of a clip. */
export class Points {
  #points: Point[] = [];

  constructor() {
    this.#draw();
    addEventListener('resize', () => this.#draw());
  }

  /** Forgets the runs: those of another clip cannot be compared. */
  clear(): void {
    this.#points = [];
    this.#draw();
  }

  /** Keeps a run. One with the same settings takes the place of the earlier one. */
  add(point: Point): void {
    const text = settingsText(point.settings);
    this.#points = [...this.#points.filter(({ settings }) => settingsText(settings) !== text), point];
    this.#draw();
  }

  #draw(): void {
    const rows = this.#points.map(({ settings, figures }, i) => {
      const dot = element('i', { style: `background: var(--series-${i % COLOURS})` });
      const name = element('th', { scope: 'row' }, dot, settingsText(settings));
      const { kbitsPerSecond, psnrY, picturesPerSecond } = figures;
      const quality = Number.isFinite(psnrY) ? psnrY.toFixed(2) : 'perfect';
      const cells = [kbitsPerSecond.toFixed(0), quality, picturesPerSecond.toFixed(1)];
      return element('tr', {}, name, ...cells.map(text => element('td', {}, text)));
    });
    byId('runs')
      .querySelector('tbody')!
      .replaceChildren(...rows);
    byId('runs').hidden = rows.length === 0;
    const empty = element(
      'div',
      { class: 'empty' },
      'Each run adds a point here. Change a setting to add the next one.',
    );
    byId('points').replaceChildren(rows.length === 0 ? empty : this.#plot());
  }

  #plot(): SVGElement {
    const width = Math.max(WIDTHS[0], Math.min(WIDTHS[1], byId('points').clientWidth));
    const kbits = axisOf(
      this.#points.map(({ figures }) => figures.kbitsPerSecond),
      0.5,
    );
    const psnr = axisOf(
      this.#points.map(({ figures }) => drawnPsnr(figures)),
      0.06,
    );
    const x = (value: number) => LEFT + ((value - kbits.low) / (kbits.high - kbits.low)) * (width - LEFT - RIGHT);
    const y = (value: number) => TOP + (1 - (value - psnr.low) / (psnr.high - psnr.low)) * (HEIGHT - TOP - BOTTOM);
    const label = `PSNR against kbit/s of ${this.#points.length} runs; the table below has the figures`;
    const svg = shape('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': label });
    for (const value of psnr.ticks) {
      svg.append(shape('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
      svg.append(shape('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, short(value)));
    }
    for (const value of kbits.ticks) {
      svg.append(shape('text', { x: x(value), y: HEIGHT - BOTTOM + 16, 'text-anchor': 'middle' }, short(value)));
    }
    svg.append(shape('text', { x: width - RIGHT, y: HEIGHT - 2, 'text-anchor': 'end' }, 'kbit/s'));
    svg.append(shape('text', { x: 0, y: 8 }, 'dB'));
    for (const [i, { settings, figures }] of this.#points.entries()) {
      const at = {
        cx: x(figures.kbitsPerSecond),
        cy: y(drawnPsnr(figures)),
        r: i === this.#points.length - 1 ? 7 : 5.5,
      };
      const dot = shape('circle', { ...at, style: `fill: var(--series-${i % COLOURS})` });
      dot.append(shape('title', {}, settingsText(settings)));
      svg.append(dot);
    }
    return svg;
  }
}

function drawnPsnr({ psnrY }: RunFigures): number {
  return Math.min(psnrY, PERFECT_DB);
}

/** An axis around values, at least as long as this share of the largest: a single one lies in its middle. */
function axisOf(values: readonly number[], share: number) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, share * most);
  const step = stepOf(span);
  const low = Math.floor((least - 0.15 * span) / step) * step;
  const high = Math.ceil((most + 0.15 * span) / step) * step;
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
  return { low, high, ticks };
}
