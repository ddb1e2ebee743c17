// The program of the report's viewer, which runs in the reader's browser.
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
export function viewerProgram({ macroblockSize, intra, forward, backward }: ViewerConstants): void {
  const MAX_KEPT_IMAGES = 64;
  const PLAY_MS = 120;

  interface Macroblocks {
    readonly types: Uint8Array;
    readonly forwardDxHalfPels: Int16Array;
    readonly forwardDyHalfPels: Int16Array;
    readonly backwardDxHalfPels: Int16Array | undefined;
    readonly backwardDyHalfPels: Int16Array | undefined;
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
    types: find<HTMLInputElement>('#layer-types'),
  };

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

  async function macroblocksOf({ macroblocks }: ViewerPicture): Promise<Macroblocks> {
    const packed = Uint8Array.from(atob(macroblocks), character => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const buffer = await new Response(stream).arrayBuffer();
    const count = data.mbWidth * data.mbHeight;
    const view = new DataView(buffer);
    const plane = (index: number): Int16Array =>
      Int16Array.from({ length: count }, (_, i) => view.getInt16(count * (1 + 2 * index) + 2 * i, true));
    const hasBackward = buffer.byteLength > 5 * count;
    return {
      types: new Uint8Array(buffer, 0, count),
      forwardDxHalfPels: plane(0),
      forwardDyHalfPels: plane(1),
      backwardDxHalfPels: hasBackward ? plane(2) : undefined,
      backwardDyHalfPels: hasBackward ? plane(3) : undefined,
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

  function drawVectors(context: CanvasRenderingContext2D, picture: ViewerPicture, macroblocks: Macroblocks): void {
    if (picture.type === 'I') return;
    const { types, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = macroblocks;
    types.forEach((type, address) => {
      if (type & intra) return;
      drawVector(context, address, forwardDxHalfPels[address]!, forwardDyHalfPels[address]!);
      if (backwardDxHalfPels && backwardDyHalfPels)
        drawVector(context, address, backwardDxHalfPels[address]!, backwardDyHalfPels[address]!);
    });
  }

  /** Draws a line from the middle of a macroblock to the middle of its match; nothing for the zero vector. */
  function drawVector(
    context: CanvasRenderingContext2D,
    address: number,
    dxHalfPels: number,
    dyHalfPels: number,
  ): void {
    if (dxHalfPels === 0 && dyHalfPels === 0) return;
    const [left, top] = positionOf(address);
    const x = left + macroblockSize / 2;
    const y = top + macroblockSize / 2;
    const colours = data.directionColours;
    const turn = Math.atan2(dyHalfPels, dxHalfPels) / (2 * Math.PI);
    const colour = colours[(Math.round(turn * colours.length) + colours.length) % colours.length]!;
    for (const [width, stroke] of [
      [3, 'rgb(0 0 0 / 0.6)'],
      [1.4, colour],
    ] as const) {
      context.lineWidth = width;
      context.strokeStyle = stroke;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + dxHalfPels / 2, y + dyHalfPels / 2);
      context.stroke();
    }
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, 1.6, 0, 2 * Math.PI);
    context.fill();
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
    const width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
    canvas.width = width;
    canvas.height = Math.max(1, Math.round((width * data.height) / data.width));
    const context = canvas.getContext('2d')!;
    context.imageSmoothingQuality = 'high';
    context.lineCap = 'round';
    context.scale(width / data.width, width / data.width);
    context.drawImage(image, 0, 0, data.width, data.height);
    if (layer.types.checked) drawTypes(context, macroblocks);
    if (layer.vectors.checked) drawVectors(context, picture, macroblocks);
    caption.textContent = captionOf(picture);
    canvas.dataset.frame = String(frame);
  }

  function captionOf({ type, bits, vectorBits, psnrY, intra, predicted, skipped }: ViewerPicture): string {
    const quality = psnrY === null ? 'perfect' : `${psnrY.toFixed(2)} dB`;
    const size = `${bits.toLocaleString('en')} bits, ${vectorBits.toLocaleString('en')} of vectors`;
    return `${type} picture · ${size} · ${quality} · ${intra} intra, ${predicted} predicted, ${skipped} skipped`;
  }

  function draw(): void {
    const turn = ++state.drawn;
    slider.value = String(state.frame);
    position.textContent = `${state.frame + 1} / ${last + 1}`;
    for (const cursor of all('.cursor')) {
      const first = Number(cursor.dataset.first);
      const share = state.frame / Math.max(1, Number(cursor.dataset.count) - 1);
      cursor.style.left = `${100 * (first + (Number(cursor.dataset.last) - first) * share)}%`;
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
  };
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement;
    const own = target.matches('select') || (event.key === ' ' && target.matches('button, input, summary'));
    const action = keys[event.key] ?? (target.closest('#viewer') ? keysInside[event.key] : undefined);
    if (!action || own || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  find('#previous').addEventListener('click', () => show(state.frame - 1));
  find('#next').addEventListener('click', () => show(state.frame + 1));
  playButton.addEventListener('click', () => play(state.playing === 0));
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
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
}
