// Lets people choose a macroblock: by a click, a touch, or keys.
import { MACROBLOCK_SIZE } from '../picture/picture.js';
import type { PicturePlace } from './picture-zoom.js';

/** A pointer that has moved further, in CSS pixels, has dragged. */
const CLICK_REACH = 6;

/** Where macroblocks can be chosen. */
interface ChoiceJob {
  readonly canvases: readonly HTMLCanvasElement[];
  /** Size of the pictures in macroblocks; it may change. */
  readonly size: { readonly mbWidth: number; readonly mbHeight: number };
  /** What of the picture a canvas shows now. */
  readonly placeOf: (canvas: HTMLCanvasElement) => PicturePlace;
  /** Called with each change. */
  readonly onChange: () => void;
}

/**
 * The chosen macroblock. A click chooses one, a second click on it lets it go. On a focused canvas Enter chooses the
 * one in the middle; then arrow keys move the choice, and Escape lets it go.
 */
export class MacroblockChoice {
  readonly #job: ChoiceJob;
  #address: number | undefined;
  #down: { readonly x: number; readonly y: number } | undefined;

  constructor(job: ChoiceJob) {
    this.#job = job;
    for (const canvas of job.canvases) {
      canvas.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => {
        this.#down = { x, y };
      });
      canvas.addEventListener('click', event => this.#onClick(canvas, event));
      canvas.addEventListener('keydown', event => this.#onKey(event));
    }
  }

  /** Its place in raster order; undefined if none is chosen. */
  get address(): number | undefined {
    return this.#address;
  }

  /** Chooses a macroblock, or none. */
  choose(address: number | undefined): void {
    this.#address = address;
    this.#job.onChange();
  }

  #onClick(canvas: HTMLCanvasElement, { clientX, clientY }: MouseEvent): void {
    const { left, top, width } = canvas.getBoundingClientRect();
    const down = this.#down ?? { x: clientX, y: clientY };
    if (Math.hypot(clientX - down.x, clientY - down.y) > CLICK_REACH) return;
    const { mbWidth, mbHeight } = this.#job.size;
    const place = this.#job.placeOf(canvas);
    const pixels = canvas.width / width / place.scale;
    const column = Math.floor(((clientX - left) * pixels + place.left) / MACROBLOCK_SIZE);
    const row = Math.floor(((clientY - top) * pixels + place.top) / MACROBLOCK_SIZE);
    if (column < 0 || column >= mbWidth || row < 0 || row >= mbHeight) return;
    const address = row * mbWidth + column;
    this.choose(address === this.#address ? undefined : address);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const isOwn = this.#address === undefined ? event.key === 'Enter' : /^(Arrow\w+|Escape)$/.test(event.key);
    if (!isOwn) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere the arrows step through the pictures
    this.choose(this.#afterKey(event.key));
  }

  #afterKey(key: string): number | undefined {
    const { mbWidth, mbHeight } = this.#job.size;
    const address = this.#address;
    if (address === undefined) return (mbHeight >> 1) * mbWidth + (mbWidth >> 1);
    if (key === 'Escape') return undefined;
    const [column, row] = [address % mbWidth, Math.floor(address / mbWidth)];
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
    const inside = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    return inside(row + dy!, mbHeight) * mbWidth + inside(column + dx!, mbWidth);
  }
}
