// The pictures: the source beside what JSMpeg plays, with layers over it.
import type { Frame } from 'mpegpu';
import { drawLayers, LAYER_NAMES, type LayeredPicture, type LayerName } from '../../src/viewer/draw-layers.ts';
import { MacroblockChoice } from '../../src/viewer/macroblock-choice.ts';
import { macroblockValues } from '../../src/viewer/macroblock-values.ts';
import { pictureZoom } from '../../src/viewer/picture-zoom.ts';
import { predictionResidual } from '../../src/viewer/prediction-residual.ts';
import { byId, element, oncePerFrame } from '../page.ts';
import type { Run } from '../run/run.ts';
import { frameImage, grayImage } from './frame-image.ts';
import { legendOf } from './layer-legend.ts';

/** Shows a picture of a run on both canvases. */
export class Stage {
  readonly redraw = oncePerFrame(() => this.#draw());
  readonly #canvases = [byId<HTMLCanvasElement>('source'), byId<HTMLCanvasElement>('output')] as const;
  readonly #boxes = new Map(LAYER_NAMES.map(name => [name, byId<HTMLInputElement>(`layer-${name}`)]));
  readonly #residual = byId<HTMLInputElement>('base-residual');
  readonly #picture = byId<HTMLInputElement>('base-picture');
  /** Of the pictures, in pels and in macroblocks; changes with the clip. */
  readonly #size = { width: 320, height: 240, mbWidth: 20, mbHeight: 15 };
  readonly #zoom = pictureZoom(this.#size, this.#canvases, () => this.redraw());
  readonly #choice = new MacroblockChoice({
    canvases: this.#canvases,
    size: this.#size,
    placeOf: canvas => this.#zoom.place(canvas),
    onChange: () => this.redraw(),
  });
  readonly #scratch = document.createElement('canvas');
  #run: Run | undefined;
  #number = 0;

  constructor() {
    for (const box of [...this.#boxes.values(), this.#residual, this.#picture]) {
      box.addEventListener('change', () => this.redraw());
    }
    const buttons = { 'zoom-in': () => this.#zoom.step(1), 'zoom-out': () => this.#zoom.step(-1) };
    for (const [id, action] of Object.entries({ ...buttons, 'zoom-whole': () => this.#zoom.reset() })) {
      byId(id).addEventListener('click', action);
    }
    addEventListener('resize', this.redraw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.redraw);
  }

  /** Shows a picture of a run. */
  show(run: Run, number: number): void {
    this.#run = run;
    this.#number = number;
    const frame = run.clip.frames[0];
    if (frame && (frame.width !== this.#size.width || frame.height !== this.#size.height)) this.#resize(frame);
    this.redraw();
  }

  /** Shows nothing: there is no picture. */
  clear(): void {
    this.#run = undefined;
    for (const canvas of this.#canvases) this.#zoom.place(canvas); // which empties it
    delete this.#canvases[1].dataset.picture;
    byId('picture-text').textContent = '';
    byId('values').replaceChildren();
    byId('values-hint').hidden = false;
  }

  /** A key that switches a layer or zooms. Returns false for any other. */
  key(key: string): boolean {
    const toggle = (box: HTMLInputElement) => box.click();
    const actions: Record<string, () => void> = {
      v: () => toggle(this.#boxes.get('vectors')!),
      e: () => toggle(this.#boxes.get('searched')!),
      t: () => toggle(this.#boxes.get('types')!),
      b: () => toggle(this.#boxes.get('bits')!),
      q: () => toggle(this.#boxes.get('scales')!),
      r: () => toggle(this.#residual.checked ? this.#picture : this.#residual),
      '+': () => this.#zoom.step(1),
      '-': () => this.#zoom.step(-1),
      0: () => this.#zoom.reset(),
    };
    actions[key]?.();
    return key in actions;
  }

  #resize({ width, height }: Frame): void {
    const grid = { mbWidth: Math.ceil(width / 16), mbHeight: Math.ceil(height / 16) };
    Object.assign(this.#size, { width, height, ...grid });
    for (const canvas of this.#canvases) canvas.style.aspectRatio = `${width} / ${height}`;
    this.#choice.choose(undefined);
    this.#zoom.reset();
  }

  #draw(): void {
    const run = this.#run;
    if (!run) return;
    const [source, output] = this.#canvases;
    const number = this.#number;
    const frame = run.clip.frames[number];
    if (frame) this.#paint(source, frameImage(frame));
    const shown = run.shown[number];
    if (!shown) return;
    const macroblocks = run.macroblocks(number);
    this.#paint(output, this.#baseImage(run, shown));
    const layers = new Set<LayerName>(LAYER_NAMES.filter(name => this.#boxes.get(name)!.checked));
    const searched = layers.has('searched') ? [run.searched(number)] : [];
    const layered = macroblocks && { macroblocks, searched };
    if (layered) this.#drawOver(output, layers, layered);
    if (layered && frame) this.#drawOver(source, new Set(), layered);
    if (layered) this.#describe(run, number, layered);
    byId('legend').replaceChildren(...legendOf(layers, macroblocks));
    output.dataset.picture = String(number);
  }

  #baseImage(run: Run, shown: Frame): ImageData {
    const source = run.clip.frames[this.#number];
    const macroblocks = run.macroblocks(this.#number);
    if (!this.#residual.checked || !source || !macroblocks) return frameImage(shown);
    const before = run.shown[this.#number - 1];
    const residual = predictionResidual({ source, macroblocks, before, after: undefined });
    return grayImage(residual, source.width, source.height);
  }

  /** Sets the canvas to the part of the picture that is zoomed to. */
  #paint(canvas: HTMLCanvasElement, image: ImageData): void {
    const { width, height } = image;
    Object.assign(this.#scratch, { width, height });
    this.#scratch.getContext('2d')!.putImageData(image, 0, 0);
    const { scale, left, top } = this.#zoom.place(canvas);
    const context = canvas.getContext('2d')!;
    context.imageSmoothingEnabled = !this.#zoom.isZoomed; // zoomed in, pels are squares
    context.imageSmoothingQuality = 'high';
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    context.drawImage(this.#scratch, 0, 0);
  }

  #drawOver(canvas: HTMLCanvasElement, layers: ReadonlySet<LayerName>, layered: LayeredPicture): void {
    const context = canvas.getContext('2d')!;
    const scale = context.getTransform().a;
    drawLayers({ context, mbWidth: this.#size.mbWidth, scale }, layered, layers, this.#choice.address);
  }

  #describe(run: Run, number: number, layered: LayeredPicture): void {
    const picture = run.pictures[number];
    if (!picture) return;
    const { type, bits, psnrY } = picture;
    const quality = Number.isFinite(psnrY) ? `${psnrY.toFixed(1)} dB` : 'perfect';
    byId('picture-text').textContent = `${type} picture, ${bits.toLocaleString('en')} bits, ${quality}`;
    const { address } = this.#choice;
    const values = address === undefined ? [] : macroblockValues(layered, address);
    byId('values').replaceChildren(
      ...values.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    );
    byId('values-hint').hidden = values.length > 0;
  }
}
