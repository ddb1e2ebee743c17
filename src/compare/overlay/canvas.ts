// An RGB picture to draw on: rectangles, strokes and text.
import { createFont, GLYPH_HEIGHT, GLYPH_WIDTH } from './font.js';

/** Red, green and blue, 0..255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A straight line with round ends. */
interface Stroke {
  /** In pels; the centre of the top left pel is (0.5, 0.5). */
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  /** Thickness in pels. */
  readonly thickness: number;
  readonly colour: Colour;
  /** 0..1; default 1. */
  readonly opacity?: number;
}

/** An RGB picture to draw on. Parts of a drawing that lie outside are cut off. */
export class Canvas {
  /** `3 * width * height` bytes R, G, B, row by row. */
  readonly pels: Uint8Array;
  readonly #font = createFont();

  /** A black canvas; sizes in pels. */
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.pels = new Uint8Array(3 * width * height);
  }

  /** The colour of a pel inside the canvas. */
  colourAt(x: number, y: number): Colour {
    const at = 3 * (y * this.width + x);
    return [this.pels[at]!, this.pels[at + 1]!, this.pels[at + 2]!];
  }

  /** Blends `colour` into a pel; `opacity` is 0..1. */
  blend(x: number, y: number, [red, green, blue]: Colour, opacity = 1): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = 3 * (y * this.width + x);
    const keep = 1 - opacity;
    this.pels[at] = Math.round(this.pels[at]! * keep + red * opacity);
    this.pels[at + 1] = Math.round(this.pels[at + 1]! * keep + green * opacity);
    this.pels[at + 2] = Math.round(this.pels[at + 2]! * keep + blue * opacity);
  }

  fillRectangle(left: number, top: number, width: number, height: number, colour: Colour): void {
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) this.blend(x, y, colour);
    }
  }

  /**
   * Draws a stroke with smooth edges: the distance of a pel's centre from the stroke says how much of it is covered.
   */
  drawStroke({ fromX, fromY, toX, toY, thickness, colour, opacity = 1 }: Stroke): void {
    const radius = thickness / 2;
    const alongX = toX - fromX;
    const alongY = toY - fromY;
    const lengthSquared = alongX * alongX + alongY * alongY;
    const first = (a: number, b: number): number => Math.max(0, Math.floor(Math.min(a, b) - radius - 1));
    const last = (a: number, b: number, length: number): number =>
      Math.min(length - 1, Math.ceil(Math.max(a, b) + radius + 1));
    for (let y = first(fromY, toY); y <= last(fromY, toY, this.height); y++) {
      for (let x = first(fromX, toX); x <= last(fromX, toX, this.width); x++) {
        const offsetX = x + 0.5 - fromX;
        const offsetY = y + 0.5 - fromY;
        const share = lengthSquared === 0 ? 0 : (offsetX * alongX + offsetY * alongY) / lengthSquared;
        const nearest = Math.min(1, Math.max(0, share));
        const distanceX = offsetX - nearest * alongX;
        const distanceY = offsetY - nearest * alongY;
        const distance = Math.sqrt(distanceX * distanceX + distanceY * distanceY);
        const coverage = Math.min(1, radius + 0.5 - distance);
        if (coverage > 0) this.blend(x, y, colour, coverage * opacity);
      }
    }
  }

  /**
   * Draws a line of text in capitals; each pel of the 5x7 font has `size` x `size` pels. Returns the x after the text.
   */
  drawText(text: string, left: number, top: number, size: number, colour: Colour): number {
    let x = left;
    for (const character of text) {
      for (let row = 0; row < GLYPH_HEIGHT; row++) {
        for (let column = 0; column < GLYPH_WIDTH; column++) {
          if (!this.#font(character, column, row)) continue;
          this.fillRectangle(x + column * size, top + row * size, size, size, colour);
        }
      }
      x += (GLYPH_WIDTH + 1) * size;
    }
    return x;
  }
}
