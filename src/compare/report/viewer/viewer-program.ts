// The program of the report's viewer, which runs in the reader's browser.
import type { drawVectors as DrawVectors, VectorPaint, VectorPlanes } from './draw-vectors.js';
import type { pictureZoom as PictureZoomOf } from './picture-zoom.js';
import type { ViewerData, ViewerPicture } from './viewer-data.js';

/** What the program must know of MPEG-1: the side of a macroblock in pels and the flags of macroblock_type. */
export interface ViewerConstants {
  readonly macroblockSize: number;
  readonly intra: number;
  readonly forward: number;
  readonly backward: number;
}

/**
 * Steps through the pictures of two estimators. The page contains the text of this function, so that it may use nothing
 * from outside itself but types.
 */
export function viewerProgram(
  { macroblockSize, intra, forward, backward }: ViewerConstants,
  drawVectors: typeof DrawVectors,
  pictureZoom: typeof PictureZoomOf,
): void {
  const MAX_KEPT_IMAGES = 64;
  const PLAY_MS = 120;
  /** In a pel. */
  const HALF_PELS = 2;
  /** CSS pixels that a key moves a picture by. */
  const KEY_MOVE = 64;

  interface Macroblocks {
    readonly types: Uint8Array;
    /** To the past anchor and, in a B picture, to the future one. */
    readonly coded: readonly VectorPlanes[];
    readonly searched: readonly (VectorPlanes | undefined)[];
  }

  const find = <T extends Element>(selector: string): T => document.querySelector<T>(selector)!;
  const all = (selector: string): HTMLElement[] => Array.from(document.querySelectorAll<HTMLElement>(selector));
  const data = JSON.parse(find('#viewer-data').textContent!) as ViewerData;
  const last = data.sources.length - 1;
  const state = { frame: 0, drawn: 0, playing: 0 };
  const panes = all('.pane').map(pane => ({
    choice: pane.querySelector('select')!,
    canvas: pane.querySelector('canvas')!,
    caption: pane.querySelector<HTMLElement>('.caption')!,
  }));
  const slider = find<HTMLInputElement>('#frame');
  const position = find<HTMLElement>('#position');
  const playButton = find<HTMLButtonElement>('#play');
  const layer = {
    residual: find<HTMLInputElement>('#layer-residual'),
    picture: find<HTMLInputElement>('#layer-picture'),
    vectors: find<HTMLInputElement>('#layer-vectors'),
    searched: find<HTMLInputElement>('#layer-searched'),
    types: find<HTMLInputElement>('#layer-types'),
  };

  const zoomText = find<HTMLElement>('#zoom');
  const zoom = pictureZoom(
    data,
    panes.map(({ canvas }) => canvas),
    draw,
  );

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

  async function macroblocksOf({ macroblocks, searched }: ViewerPicture): Promise<Macroblocks> {
    const count = data.mbWidth * data.mbHeight;
    const vectorsAt = (view: DataView, first: number, factor: number): VectorPlanes => {
      const plane = (start: number) =>
        Int16Array.from({ length: count }, (_, i) => factor * view.getInt16(start + 2 * i, true));
      return { dx: plane(first), dy: plane(first + 2 * count) };
    };
    const view = await inflate(macroblocks);
    const fields = searched.map(async packed =>
      packed === '' ? undefined : vectorsAt(await inflate(packed), 0, HALF_PELS),
    );
    const directions = (view.byteLength - count) / (4 * count);
    return {
      types: new Uint8Array(view.buffer, 0, count),
      coded: Array.from({ length: directions }, (_, i) => vectorsAt(view, count * (1 + 4 * i), 1)),
      searched: await Promise.all(fields),
    };
  }

  /** The kind of a macroblock. Each kind but `skipped` has a colour in the style sheet and an entry in the legend. */
  function kindOf(type: number): string {
    if (type === 0) return 'skipped';
    if (type & intra) return 'intra';
    if (type & forward && type & backward) return 'both';
    if (type & backward) return 'backward';
    return type & forward ? 'forward' : 'still';
  }

  /** The top left pel of a macroblock. */
  function positionOf(address: number): [x: number, y: number] {
    return [(address % data.mbWidth) * macroblockSize, Math.floor(address / data.mbWidth) * macroblockSize];
  }

  function drawTypes(context: CanvasRenderingContext2D, { types }: Macroblocks): void {
    const style = getComputedStyle(document.documentElement);
    types.forEach((type, address) => {
      const kind = kindOf(type);
      if (kind === 'skipped') return;
      context.globalAlpha = kind === 'forward' ? 0.25 : 0.5; // the most frequent kind is lighter, so that the picture stays visible
      context.fillStyle = style.getPropertyValue(`--kind-${kind}`);
      const [x, y] = positionOf(address);
      context.fillRect(x + 0.5, y + 0.5, macroblockSize - 1, macroblockSize - 1);
    });
    context.globalAlpha = 1;
  }

  /** The vectors that the coder used: none in I pictures and in intra macroblocks. */
  function drawCoded(paint: VectorPaint, { type }: ViewerPicture, { types, coded }: Macroblocks): void {
    if (type === 'I') return;
    for (const vectors of coded) drawVectors(paint, vectors, false, address => !(types[address]! & intra));
  }

  function drawSearched(paint: VectorPaint, { searched }: Macroblocks): void {
    for (const vectors of searched) if (vectors) drawVectors(paint, vectors, true, () => true);
  }

  async function drawPane(pane: (typeof panes)[number], turn: number): Promise<void> {
    const { canvas, choice, caption } = pane;
    const { frame } = state;
    const picture = data.estimators[Number(choice.value)]!.pictures[frame]!;
    const image = layer.residual.checked
      ? await imageOf(`${choice.value} ${frame}`, picture.residual)
      : await imageOf(`source ${frame}`, data.sources[frame]!);
    const macroblocks = await macroblocksOf(picture);
    if (turn !== state.drawn) return; // another picture has been asked for meanwhile
    const { scale, left, top } = zoom.place(canvas);
    const context = canvas.getContext('2d')!;
    context.imageSmoothingEnabled = !zoom.isZoomed; // zoomed in, pels are squares
    context.imageSmoothingQuality = 'high';
    context.lineCap = 'round';
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    context.drawImage(image, 0, 0, data.width, data.height);
    if (layer.types.checked) drawTypes(context, macroblocks);
    const { mbWidth, directionColours } = data;
    const paint = { context, mbWidth, macroblockSize, scale, directionColours };
    if (layer.searched.checked) drawSearched(paint, macroblocks);
    if (layer.vectors.checked) drawCoded(paint, picture, macroblocks);
    caption.textContent = captionOf(picture, macroblocks);
    const label = choice.selectedOptions[0]!.textContent!;
    canvas.setAttribute('aria-label', `Picture ${frame + 1}, ${label}`);
    canvas.dataset.frame = String(frame);
  }

  function captionOf(picture: ViewerPicture, macroblocks: Macroblocks): string {
    const { type, bits, vectorBits, psnrY, ssimY, predicted, skipped } = picture;
    const quality = psnrY === null ? 'perfect' : `${psnrY.toFixed(2)} dB · SSIM ${ssimY.toFixed(4)}`;
    const size = `${bits.toLocaleString('en')} bits, ${vectorBits.toLocaleString('en')} of vectors`;
    const kinds = `${picture.intra} intra, ${predicted} predicted, ${skipped} skipped`;
    return `${type} picture · ${size} · ${quality} · ${kinds}${followed(macroblocks)}`;
  }

  /** How many coded vectors are those that the estimator found, up to the refinement to half a pel. */
  function followed({ types, coded, searched }: Macroblocks): string {
    let vectors = 0;
    let near = 0;
    for (const [i, { dx, dy }] of coded.entries()) {
      const found = searched[i];
      if (!found) continue;
      types.forEach((type, address) => {
        if (!(type & (i === 0 ? forward : backward))) return;
        vectors++;
        const away = Math.max(Math.abs(dx[address]! - found.dx[address]!), Math.abs(dy[address]! - found.dy[address]!));
        if (away <= 1) near++;
      });
    }
    return vectors === 0 ? '' : ` · ${near} of ${vectors} vectors within half a pel of the estimator's`;
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
    v: () => toggle(layer.vectors),
    e: () => toggle(layer.searched),
    t: () => toggle(layer.types),
    r: () => toggle(layer.residual.checked ? layer.picture : layer.residual),
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
  for (const box of Object.values(layer)) box.addEventListener('change', draw);
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
