// Tests of drawing: canvas, font, colours, frames, residuals and vectors.
import { describe, expect, it } from 'vitest';
import { Canvas, type Colour } from '../../../src/compare/overlay/canvas.js';
import { createFont, GLYPH_HEIGHT, GLYPH_WIDTH } from '../../../src/compare/overlay/font.js';
import { canvasOfFrame } from '../../../src/compare/overlay/frame-canvas.js';
import { LEGEND_HEIGHT } from '../../../src/compare/overlay/legend.js';
import { drawResidual } from '../../../src/compare/overlay/residual.js';
import { comfortableScale, drawVectors, overlayHeight } from '../../../src/compare/overlay/vectors.js';
import { frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { rgbToFrame } from '../../../src/picture/rgb-to-frame.js';
import { directionColour } from '../../../src/viewer/direction-colour.js';
import { patternFrame } from '../../media/test-frames.js';
import { handMadeField } from '../hand-made-field.js';

const RED: Colour = [255, 0, 0];

/** A frame of one colour. */
function flatFrame(width: number, height: number, y: number, u = 128, v = 128) {
  const frame = frameFromI420(width, height, new Uint8Array(i420Bytes(width, height)));
  frame.y.fill(y);
  frame.u.fill(u);
  frame.v.fill(v);
  return frame;
}

/** A stroke along the border of two rows of pels covers both, but neither wholly. */
function expectNear(actual: Colour, expected: Colour): void {
  for (const [channel, value] of actual.entries()) expect(Math.abs(value - expected[channel])).toBeLessThan(20);
}

describe('Canvas', () => {
  it('cuts off what lies outside', () => {
    const canvas = new Canvas(4, 3);
    canvas.fillRectangle(-2, -2, 3, 3, RED);
    canvas.drawText('W', 2, 1, 3, RED);
    canvas.drawStroke({ fromX: -9, fromY: 2.5, toX: 9, toY: 2.5, thickness: 1, colour: [0, 255, 0] });
    expect(canvas.colourAt(0, 0)).toEqual(RED);
    expect(canvas.colourAt(1, 0)).toEqual([0, 0, 0]);
    expect(canvas.colourAt(2, 1)).toEqual(RED);
    for (let x = 0; x < 4; x++) expect(canvas.colourAt(x, 2)).toEqual([0, 255, 0]);
  });

  it('covers a stroke and smooths its edge', () => {
    const canvas = new Canvas(20, 9);
    canvas.drawStroke({ fromX: 4.5, fromY: 4.5, toX: 14.5, toY: 4.5, thickness: 2, colour: [200, 200, 200] });
    const brightness = (x: number, y: number) => canvas.colourAt(x, y)[0];
    expect([brightness(4, 4), brightness(9, 4), brightness(14, 4)]).toEqual([200, 200, 200]);
    // One pel off the middle is the edge: half covered.
    expect([brightness(9, 3), brightness(9, 5)]).toEqual([100, 100]);
    expect([brightness(9, 2), brightness(9, 6), brightness(2, 4), brightness(17, 4)]).toEqual([0, 0, 0, 0]);
  });

  it('blends by opacity', () => {
    const canvas = new Canvas(1, 1);
    canvas.blend(0, 0, [100, 200, 40], 0.5);
    expect(canvas.colourAt(0, 0)).toEqual([50, 100, 20]);
  });
});

describe('the font', () => {
  const font = createFont();
  const drawn = (character: string) =>
    Array.from({ length: GLYPH_HEIGHT }, (_, y) =>
      Array.from({ length: GLYPH_WIDTH }, (_, x) => (font(character, x, y) ? '#' : '.')).join(''),
    ).join('\n');

  it('has a glyph of its own for everything that captions hold', () => {
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-+>/%()=?';
    const glyphs = [...characters].map(drawn);
    expect(new Set(glyphs).size).toBe(characters.length);
    for (const glyph of glyphs) expect(glyph).toContain('#');
    expect(drawn('~')).toBe(drawn('?'));
    expect(drawn('m')).toBe(drawn('M'));
    expect(drawn(' ')).not.toContain('#');
  });

  it('draws letters where they belong', () => {
    expect(drawn('F')).toBe(['#####', '#....', '#....', '####.', '#....', '#....', '#....'].join('\n'));
    expect(drawn('?')).toBe(['.###.', '#...#', '....#', '..##.', '..#..', '.....', '..#..'].join('\n'));
  });
});

describe('directionColour', () => {
  it('goes round the compass, opposite directions in opposite hues', () => {
    const [right, down, left, up] = [
      [3, 0],
      [0, 2],
      [-5, 0],
      [0, -1],
    ].map(([dx, dy]) => directionColour(dx, dy));
    expect(right).toEqual([255, 102, 102]);
    expect(left).toEqual([102, 255, 255]);
    expect(down[1]).toBe(255);
    expect(down[0]).toBeGreaterThan(down[2]);
    expect(up[2]).toBe(255);
    expect(up[0]).toBeGreaterThan(up[1]);
  });

  it('depends on the direction alone', () => {
    expect(directionColour(2, -6)).toEqual(directionColour(1, -3));
    for (let angle = 0; angle < 360; angle++) {
      const colour = directionColour(Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180));
      for (const channel of colour) expect(channel).toBeGreaterThanOrEqual(102);
      expect(Math.max(...colour)).toBe(255);
    }
  });
});

describe('canvasOfFrame', () => {
  it('shows the colours that rgbToFrame took, to rounding', () => {
    for (const colour of [
      [0, 0, 0],
      [255, 255, 255],
      [255, 0, 0],
      [0, 200, 0],
      [30, 60, 250],
    ] as Colour[]) {
      const pels = Uint8Array.from({ length: 4 * 2 * 3 }, (_, i) => colour[i % 3]);
      const canvas = canvasOfFrame(rgbToFrame({ width: 4, height: 2, pels }), { scale: 2 });
      expect([canvas.width, canvas.height]).toEqual([8, 4]);
      for (const [channel, value] of canvas.colourAt(5, 3).entries()) {
        expect(Math.abs(value - colour[channel])).toBeLessThanOrEqual(3);
      }
    }
  });

  it('shows luma alone, and darker, where asked to', () => {
    const gray = canvasOfFrame(flatFrame(3, 3, 125, 10, 240), { gray: true, brightness: 0.5 });
    const value = Math.round((0.5 * (125 - 16) * 255) / 219);
    expect(gray.colourAt(2, 2)).toEqual([value, value, value]);
  });
});

describe('drawResidual', () => {
  it('is mid-gray where nothing is left, lighter where the frame is lighter', () => {
    const frame = patternFrame(9, 7, 3);
    const equal = drawResidual(frame, frame);
    expect(new Set(equal.pels)).toEqual(new Set([127]));
    const lighter = drawResidual(flatFrame(2, 2, 120), flatFrame(2, 2, 100));
    const darker = drawResidual(flatFrame(2, 2, 20), flatFrame(2, 2, 240));
    expect(lighter.colourAt(0, 0)).toEqual([150, 150, 150]);
    expect(darker.colourAt(0, 0)).toEqual([0, 0, 0]);
  });
});

describe('drawVectors', () => {
  const frame = flatFrame(96, 64, 16);
  const at = (column: number, row: number) => [(column * 16 + 8) * 2, (row * 16 + 8) * 2];
  const field = handMadeField(frame, 16, (column, row) => {
    if (column === 1 && row === 1) return [20, 0];
    return column === 4 && row === 3 ? [0, -12] : [0, 0];
  });

  it('draws each vector from the middle of its block, as long as it is, in the colour of its direction', () => {
    const canvas = drawVectors(frame, field, { scale: 2 });
    expect([canvas.width, canvas.height]).toEqual([192, 128]);
    const [x, y] = at(1, 1);
    for (const along of [0, 10, 20, 30, 39]) expectNear(canvas.colourAt(x + along, y), directionColour(1, 0));
    // The point, and black behind it: only a shadow lies there.
    expect(canvas.colourAt(x + 45, y)).toEqual([0, 0, 0]);
    expect(canvas.colourAt(x - 6, y)).toEqual([0, 0, 0]);
    const [upX, upY] = at(4, 3);
    for (const along of [0, 12, 23]) expectNear(canvas.colourAt(upX, upY - along), directionColour(0, -1));
    expect(canvas.colourAt(upX, upY - 30)).toEqual([0, 0, 0]);
  });

  it('marks a block that does not move with a gray dot', () => {
    const canvas = drawVectors(frame, field, { scale: 2 });
    const [x, y] = at(0, 0);
    const [red, green, blue] = canvas.colourAt(x, y);
    expect(red).toBeGreaterThan(60);
    expect([green, blue]).toEqual([red, red]);
    expect(canvas.colourAt(x + 4, y)).toEqual([0, 0, 0]);
  });

  it('draws no block of the margin', () => {
    const small = flatFrame(9, 9, 16);
    const canvas = drawVectors(
      small,
      handMadeField(small, 8, (column, row) => (column === 1 && row === 1 ? [-8, -8] : [0, 0])),
      { scale: 4 },
    );
    const inside = drawVectors(
      flatFrame(8, 8, 16),
      handMadeField({ width: 8, height: 8 }, 8, () => [0, 0]),
      { scale: 4 },
    );
    expect(canvas.colourAt(30, 30)).not.toEqual([0, 0, 0]);
    expect([inside.colourAt(16, 16)[0] > 60, inside.colourAt(31, 31)]).toEqual([true, [0, 0, 0]]);
  });

  it('explains itself in a legend below', () => {
    const wide = flatFrame(160, 32, 16);
    const still = handMadeField(wide, 16, () => [0, 0]);
    const canvas = drawVectors(wide, still, { scale: 4, caption: ['frame 1 from 0', 'PSNR 30 -> 40 dB'] });
    expect(canvas.height).toBe(overlayHeight(32, 4, true));
    expect(canvas.height).toBe(128 + LEGEND_HEIGHT);
    const legend = canvas.pels.subarray(3 * 640 * 128);
    const middle = 128 + LEGEND_HEIGHT / 2;
    // The wheel: to the right of its middle the colour of an arrow to the right, and so on.
    expect(canvas.colourAt(28 + 14, middle)).toEqual(directionColour(14.5, 0.5));
    expect(canvas.colourAt(28, middle - 14)).toEqual(directionColour(0.5, -13.5));
    // The ruler: 16 pels of the frame are 64 of the picture.
    const ruler = Array.from({ length: 80 }, (_, x) => canvas.colourAt(60 + x, 128 + LEGEND_HEIGHT - 18)[0] === 230);
    expect([ruler.indexOf(true), ruler.lastIndexOf(true)]).toEqual([4, 67]);
    const without = drawVectors(wide, still, { scale: 4, caption: [] });
    expect(Buffer.compare(legend, without.pels.subarray(3 * 640 * 128))).not.toBe(0);
  });

  it('makes small frames large enough to see arrows', () => {
    expect([comfortableScale(176, 144), comfortableScale(352, 288), comfortableScale(640, 480)]).toEqual([4, 4, 2]);
    expect([comfortableScale(1280, 720), comfortableScale(1920, 1080), comfortableScale(16, 2800)]).toEqual([1, 1, 1]);
  });
});
