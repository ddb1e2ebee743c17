// The report's viewer, which runs in the reader's browser. The build makes one script of it and all that it imports.

import type { CodedMacroblocks, VectorPlanes } from '../../../bitstream/reading/coded-macroblocks.js';
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../../bitstream/tables/macroblock-codes.js';
import { counted } from '../../../counted.js';
import { drawLayers, LAYER_NAMES, type LayeredPicture, type LayerName } from '../../../viewer/draw-layers.js';
import { MacroblockChoice } from '../../../viewer/macroblock-choice.js';
import { macroblockValues } from '../../../viewer/macroblock-values.js';
import { pictureZoom } from '../../../viewer/picture-zoom.js';
import { unpackMacroblocks, unpackSearched } from './unpack-macroblocks.js';
import type { ViewerData, ViewerPicture } from './viewer-data.js';

const MAX_KEPT_IMAGES = 64;
const PLAY_MS = 120;
/** CSS pixels that a key moves a picture by. */
const KEY_MOVE = 64;

/** Steps through the pictures of two estimators. */
export function reportViewer(): void {
  const find = <T extends Element>(selector: string): T => document.querySelector<T>(selector)!;
  const all = (selector: string): HTMLElement[] => Array.from(document.querySelectorAll<HTMLElement>(selector));
  const data = JSON.parse(find('#viewer-data').textContent!) as ViewerData;
  const last = data.sources.length - 1;
  const state = { frame: 0, drawn: 0, playing: 0 };
  const panes = all('.pane').map(pane => ({
    choice: pane.querySelector('select')!,
    canvas: pane.querySelector('canvas')!,
    caption: pane.querySelector<HTMLElement>('.caption')!,
    values: pane.querySelector<HTMLElement>('.values')!,
  }));
  const canvases = panes.map(({ canvas }) => canvas);
  const slider = find<HTMLInputElement>('#frame');
  const position = find<HTMLElement>('#position');
  const playButton = find<HTMLButtonElement>('#play');
  const [picture, residual] = ['picture', 'residual'].map(name => find<HTMLInputElement>(`#layer-${name}`)) as [
    HTMLInputElement,
    HTMLInputElement,
  ];
  const boxes = new Map(LAYER_NAMES.map(name => [name, find<HTMLInputElement>(`#layer-${name}`)]));

  const zoomText = find<HTMLElement>('#zoom');
  const zoom = pictureZoom(data, canvases, draw);
  const chosen = new MacroblockChoice({ canvases, size: data, placeOf: canvas => zoom.place(canvas), onChange: draw });

  const images = new Map<string, Promise<HTMLImageElement>>();
  function imageOf(key: string, webp: string): Promise<HTMLImageElement> {
    const known = images.get(key);
    if (known) return known;
    const image = new Image();
    image.src = `data:image/webp;base64,${webp}`;
    const loading = image.decode().then(() => image);
    images.set(key, loading);
    if (images.size > MAX_KEPT_IMAGES) images.delete(images.keys().next().value!);
    return loading;
  }

  async function inflate(base64: string): Promise<DataView> {
    const packed = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new DataView(await new Response(stream).arrayBuffer());
  }

  async function layersOf({ type, macroblocks, searched }: ViewerPicture): Promise<Required<LayeredPicture>> {
    const { mbWidth, mbHeight } = data;
    return {
      macroblocks: unpackMacroblocks(await inflate(macroblocks), type, mbWidth, mbHeight),
      searched: await Promise.all(
        searched.map(async packed => (packed === '' ? undefined : unpackSearched(await inflate(packed)))),
      ),
    };
  }

  async function drawPane(pane: (typeof panes)[number], turn: number): Promise<void> {
    const { canvas, choice, caption, values } = pane;
    const { frame } = state;
    const shown = data.estimators[Number(choice.value)]!.pictures[frame]!;
    const image = residual.checked
      ? await imageOf(`${choice.value} ${frame}`, shown.residual)
      : await imageOf(`source ${frame}`, data.sources[frame]!);
    const layers = await layersOf(shown);
    if (turn !== state.drawn) return; // another picture has been asked for meanwhile
    const { scale, left, top } = zoom.place(canvas);
    const context = canvas.getContext('2d')!;
    context.imageSmoothingEnabled = !zoom.isZoomed; // zoomed in, pels are squares
    context.imageSmoothingQuality = 'high';
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    context.drawImage(image, 0, 0, data.width, data.height);
    const names = new Set<LayerName>(LAYER_NAMES.filter(name => boxes.get(name)!.checked));
    drawLayers({ context, mbWidth: data.mbWidth, scale }, layers, names, chosen.address);
    caption.textContent = captionOf(shown, layers);
    const named = chosen.address === undefined ? [] : macroblockValues(layers, chosen.address);
    values.textContent = named.map(([name, value]) => `${name}: ${value}`).join(' · ');
    const label = choice.selectedOptions[0]!.textContent!;
    canvas.setAttribute('aria-label', `Picture ${frame + 1}, ${label}`);
    canvas.dataset.frame = String(frame);
  }

  function captionOf(shown: ViewerPicture, layers: Required<LayeredPicture>): string {
    const { type, bits, vectorBits, psnrY, ssimY, predicted, skipped, intra } = shown;
    const quality = psnrY === null ? 'perfect' : `${psnrY.toFixed(2)} dB · SSIM ${ssimY.toFixed(4)}`;
    const size = `${bits.toLocaleString('en')} bits, ${vectorBits.toLocaleString('en')} of vectors`;
    const kinds = `${intra} intra, ${predicted} predicted, ${skipped} skipped`;
    return `${type} picture · ${size} · ${quality} · ${kinds}${followed(layers.macroblocks, layers.searched)}`;
  }

  function draw(): void {
    const turn = ++state.drawn;
    slider.value = String(state.frame);
    position.textContent = `${state.frame + 1} / ${last + 1}`;
    zoomText.textContent = zoom.text;
    slider.setAttribute('aria-valuetext', `picture ${state.frame + 1} of ${last + 1}`);
    for (const cursor of all('.cursor')) {
      const first = Number(cursor.dataset.first);
      const share = state.frame / Math.max(1, Number(cursor.dataset.count) - 1);
      const at = first + (Number(cursor.dataset.last) - first) * share;
      cursor.style.left = `${100 * at}%`;
      const slack = 1e-6;
      cursor.hidden = at < Number(cursor.dataset.from) - slack || at > Number(cursor.dataset.to) + slack;
    }
    for (const pane of panes) void drawPane(pane, turn);
  }

  function show(frame: number): void {
    state.frame = Math.max(0, Math.min(last, frame));
    draw();
  }

  function play(on: boolean): void {
    clearInterval(state.playing);
    state.playing = on ? window.setInterval(() => show(state.frame === last ? 0 : state.frame + 1), PLAY_MS) : 0;
    playButton.textContent = on ? 'Pause' : 'Play';
    for (const { caption } of panes) caption.setAttribute('aria-live', on ? 'off' : 'polite');
    playButton.setAttribute('aria-pressed', String(on));
  }

  function toggle(box: HTMLInputElement): void {
    box.checked = !box.checked;
    draw();
  }

  const keys: Record<string, () => void> = {
    ArrowLeft: () => show(state.frame - 1),
    ArrowRight: () => show(state.frame + 1),
    v: () => toggle(boxes.get('vectors')!),
    e: () => toggle(boxes.get('searched')!),
    t: () => toggle(boxes.get('types')!),
    b: () => toggle(boxes.get('bits')!),
    q: () => toggle(boxes.get('scales')!),
    r: () => toggle(residual.checked ? picture : residual),
  };
  /** Keys that work only if the viewer has the focus: elsewhere they scroll the page. */
  const keysInside: Record<string, () => void> = {
    PageUp: () => show(state.frame - 10),
    PageDown: () => show(state.frame + 10),
    Home: () => show(0),
    End: () => show(last),
    ' ': () => play(state.playing === 0),
    '+': () => zoom.step(1),
    '=': () => zoom.step(1),
    '-': () => zoom.step(-1),
    0: () => zoom.reset(),
  };
  /** With Shift held, inside the viewer. */
  const moves: Record<string, () => void> = {
    ArrowLeft: () => zoom.move(KEY_MOVE, 0),
    ArrowRight: () => zoom.move(-KEY_MOVE, 0),
    ArrowUp: () => zoom.move(0, KEY_MOVE),
    ArrowDown: () => zoom.move(0, -KEY_MOVE),
  };
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement;
    const own = target.matches('select, .table') || (event.key === ' ' && target.matches('button, input, summary'));
    const isInside = target.closest('#viewer') !== null;
    const move = event.shiftKey && isInside && zoom.isZoomed ? moves[event.key] : undefined;
    const action = move ?? keys[event.key] ?? (isInside ? keysInside[event.key] : undefined);
    if (!action || own || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  find('#previous').addEventListener('click', () => show(state.frame - 1));
  find('#next').addEventListener('click', () => show(state.frame + 1));
  playButton.addEventListener('click', () => play(state.playing === 0));
  find('#zoom-in').addEventListener('click', () => zoom.step(1));
  find('#zoom-out').addEventListener('click', () => zoom.step(-1));
  find('#zoom-whole').addEventListener('click', () => zoom.reset());
  slider.addEventListener('input', () => show(Number(slider.value)));
  for (const { choice } of panes) choice.addEventListener('change', draw);
  for (const box of [picture, residual, ...boxes.values()]) box.addEventListener('change', draw);
  for (const plot of all('.over-pictures')) {
    plot.addEventListener('click', event => {
      const { left, width } = plot.getBoundingClientRect();
      const { first, last: end, count } = plot.querySelector<HTMLElement>('.cursor')!.dataset;
      const share = ((event.clientX - left) / width - Number(first)) / (Number(end) - Number(first));
      show(Math.round(share * (Number(count) - 1)));
    });
  }
  addEventListener('resize', draw);
  addEventListener('plotzoom', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
}

/** How many coded vectors are those that the estimator found, up to the refinement to half a pel. */
function followed(macroblocks: CodedMacroblocks, searched: readonly (VectorPlanes | undefined)[]): string {
  const { types, forward, backward } = macroblocks;
  let vectors = 0;
  let near = 0;
  for (const [flag, { dx, dy }, found] of [
    [MACROBLOCK_MOTION_FORWARD, forward, searched[0]],
    [MACROBLOCK_MOTION_BACKWARD, backward, searched[1]],
  ] as const) {
    if (!found) continue;
    types.forEach((type, address) => {
      if (!(type & flag)) return;
      vectors++;
      const away = Math.max(Math.abs(dx[address]! - found.dx[address]!), Math.abs(dy[address]! - found.dy[address]!));
      if (away <= 1) near++;
    });
  }
  return vectors === 0 ? '' : ` · ${near} of ${counted(vectors, 'vector')} within half a pel of the estimator's`;
}
