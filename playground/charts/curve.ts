// A curve or bars over the pictures of a run, drawn as SVG.
import { element, shape } from '../page.ts';

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 38;
const BOTTOM = 18;
const TOP = 8;

/** What a curve shows. */
export interface CurveTexts {
  readonly title: string;
  readonly note: string;
  /** Of its values. */
  readonly unit: string;
}

/** A value a picture. With types, bars in their colours. */
export interface CurveData {
  readonly values: readonly number[];
  readonly types?: readonly string[];
  /** Pictures on the axis. */
  readonly count: number;
}

/** A curve that grows, with a mark at the picture that is shown. */
export class Curve {
  readonly figure: HTMLElement;
  readonly #texts: CurveTexts;
  readonly #svg: SVGElement;
  readonly #note: HTMLElement;
  #data: CurveData = { values: [], count: 1 };
  #now = 0;

  /** `onSeek` is called with the picture that is clicked. */
  constructor(texts: CurveTexts, onSeek: (number: number) => void) {
    this.#texts = texts;
    this.#svg = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': texts.title });
    this.#note = element('span', {}, texts.note);
    this.#note.style.marginLeft = '0';
    const caption = element('figcaption', {}, element('b', {}, texts.title), this.#note);
    this.figure = element('figure', {}, caption, this.#svg);
    this.#svg.addEventListener('click', event => {
      const { left, width } = this.#svg.getBoundingClientRect();
      const x = (((event as MouseEvent).clientX - left) / width) * WIDTH;
      onSeek(Math.floor(((x - LEFT) / (WIDTH - LEFT)) * this.#data.count));
    });
  }

  /** Draws what there is now. `note` says more than the curve does. */
  draw(data: CurveData, now: number, note = this.#texts.note): void {
    this.#data = data;
    this.#now = now;
    this.#note.textContent = note;
    const { values, types } = data;
    const finite = values.filter(Number.isFinite);
    if (finite.length === 0) {
      const text = shape('text', { x: WIDTH / 2, y: HEIGHT / 2, 'text-anchor': 'middle' }, 'no pictures yet');
      this.#svg.replaceChildren(text);
      return;
    }
    const { low, high, step } = endsOf(finite, types !== undefined);
    const y = (value: number) => TOP + (1 - (Math.min(high, value) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    this.#svg.replaceChildren(
      ...this.#axis({ low, high, step }, y),
      ...(types ? this.#bars(y) : this.#line(y)),
      this.#mark(),
    );
    const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length;
    const text = `${this.#texts.title}: ${finite.length} pictures, mean ${this.#text(mean)}, ${this.#text(Math.min(...finite))} to ${this.#text(Math.max(...finite))}`;
    this.#svg.setAttribute('aria-label', text);
  }

  /** Moves the mark. */
  move(now: number): void {
    this.#now = now;
    this.#svg.querySelector('.now')?.replaceWith(this.#mark());
  }

  #axis({ low, high, step }: AxisEnds, y: (value: number) => number): SVGElement[] {
    const marks: SVGElement[] = [];
    for (let value = low; value <= high + step / 2; value += step) {
      marks.push(shape('line', { class: 'grid', x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }));
      marks.push(shape('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, short(value)));
    }
    const { count } = this.#data;
    marks.push(shape('text', { x: LEFT, y: HEIGHT - 3 }, '1'));
    marks.push(shape('text', { x: WIDTH, y: HEIGHT - 3, 'text-anchor': 'end' }, String(count)));
    return marks;
  }

  #x(number: number): number {
    return LEFT + ((number + 0.5) / Math.max(1, this.#data.count)) * (WIDTH - LEFT);
  }

  #bars(y: (value: number) => number): SVGElement[] {
    const { values, types, count } = this.#data;
    const width = Math.max(0.8, (0.76 * (WIDTH - LEFT)) / count);
    return values.map((value, number) => {
      const bar = { x: this.#x(number) - width / 2, y: y(value), width, height: Math.max(0.5, y(0) - y(value)) };
      return shape('rect', { class: types![number]!, rx: Math.min(1.5, width / 3), ...bar });
    });
  }

  #line(y: (value: number) => number): SVGElement[] {
    const points = this.#data.values.map((value, number) => `${this.#x(number).toFixed(1)},${y(value).toFixed(1)}`);
    const floor = HEIGHT - BOTTOM;
    const area = `M${this.#x(0).toFixed(1)},${floor}L${points.join('L')}L${this.#x(points.length - 1).toFixed(1)},${floor}Z`;
    return [shape('path', { class: 'area', d: area }), shape('path', { class: 'line', d: `M${points.join('L')}` })];
  }

  #mark(): SVGElement {
    const x = this.#x(this.#now);
    return shape('line', { class: 'now', x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM });
  }

  #text(value: number): string {
    return `${short(value)} ${this.#texts.unit}`;
  }
}

/** The ends of an axis, and the step of its marks. */
interface AxisEnds {
  readonly low: number;
  readonly high: number;
  readonly step: number;
}

function endsOf(values: readonly number[], isFromZero: boolean): AxisEnds {
  const [least, most] = [isFromZero ? 0 : Math.min(...values), Math.max(...values)];
  const step = stepOf(Math.max(most - least, 1e-3 * Math.max(1, Math.abs(most))));
  const low = Math.floor(least / step) * step;
  const high = Math.ceil(most / step) * step;
  return { low, high: high > low ? high : low + step, step };
}

/** A round step: three to six of them make up a span. */
export function stepOf(span: number): number {
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 2.5, 5, 10].map(digit => digit * power).find(step => step >= rough * 0.999)!;
}

/** A number in at most four letters or so. */
export function short(value: number): string {
  if (Math.abs(value) >= 10_000) return `${Number((value / 1000).toPrecision(3))}k`;
  return String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)));
}
