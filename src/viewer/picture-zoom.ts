// Zooms into pictures on canvases, all of them together.

/** CSS pixels that a pel can have, and the level that shows the whole picture. */
const LEVELS = [1, 2, 3, 4, 6, 8, 12, 16, 24];
const WHOLE = 0;

/** What of a picture a canvas shows. */
export interface PicturePlace {
  /** Canvas pixels per pel; a whole number, unless the whole picture is shown. */
  readonly scale: number;
  /** The pel at the canvas's top left corner; negative where the canvas is larger than the picture. */
  readonly left: number;
  readonly top: number;
}

/** The part of the pictures that all panes show. */
export interface PictureZoom {
  readonly isZoomed: boolean;
  /** `whole picture`, or how many pixels a pel has: `4×`. */
  readonly text: string;
  /** Gives the canvas its size in pixels, and says what it shows. */
  place(canvas: HTMLCanvasElement): PicturePlace;
  /** To the next larger level, with 1, or smaller one, with -1. */
  step(direction: 1 | -1): void;
  /** Shows the whole picture. */
  reset(): void;
  /** Moves by CSS pixels of a pane. */
  move(dx: number, dy: number): void;
}

/**
 * Zooms and moves the pictures of `canvases` together: by the methods, by dragging, and by the wheel with Ctrl held.
 * The size is that of the pictures in pels, and may change.
 */
export function pictureZoom(
  size: { readonly width: number; readonly height: number },
  canvases: readonly HTMLCanvasElement[],
  redraw: () => void,
): PictureZoom {
  const view = { level: WHOLE, x: size.width / 2, y: size.height / 2 };

  const fitScale = (): number => canvases[0]!.clientWidth / size.width;
  const pixelsPerPel = (): number => Math.max(1, Math.round(view.level * devicePixelRatio));

  function place(canvas: HTMLCanvasElement): PicturePlace {
    const { width, height } = size;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
    canvas.height = Math.max(1, Math.round((canvas.width * height) / width));
    if (view.level === WHOLE) return { scale: canvas.width / width, left: 0, top: 0 };
    const scale = pixelsPerPel();
    const corner = (centre: number, length: number, shown: number): number => {
      if (shown >= length) return (length - shown) / 2;
      return Math.max(0, Math.min(length - shown, Math.round(centre - shown / 2)));
    };
    const [columns, rows] = [canvas.width / scale, canvas.height / scale];
    const [left, top] = [corner(view.x, width, columns), corner(view.y, height, rows)];
    view.x = left + columns / 2;
    view.y = top + rows / 2;
    return { scale, left, top };
  }

  function setLevel(level: number): void {
    view.level = level;
    if (level === WHOLE) Object.assign(view, { x: size.width / 2, y: size.height / 2 });
    for (const canvas of canvases) canvas.classList.toggle('zoomed', level !== WHOLE);
    redraw();
  }

  function step(direction: 1 | -1): void {
    const larger = LEVELS.filter(level => level > fitScale());
    const at = larger.indexOf(view.level);
    if (direction === 1) setLevel(larger[Math.min(at + 1, larger.length - 1)] ?? view.level);
    else setLevel(at > 0 ? larger[at - 1]! : WHOLE);
  }

  function move(dx: number, dy: number): void {
    if (view.level === WHOLE) return;
    const pelsPerPixel = devicePixelRatio / pixelsPerPel();
    view.x -= dx * pelsPerPixel;
    view.y -= dy * pelsPerPixel;
    redraw();
  }

  for (const canvas of canvases) {
    canvas.addEventListener('pointerdown', event => {
      if (view.level !== WHOLE) canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', event => {
      if (canvas.hasPointerCapture(event.pointerId)) move(event.movementX, event.movementY);
    });
    canvas.addEventListener(
      'wheel',
      event => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        step(event.deltaY < 0 ? 1 : -1);
      },
      { passive: false },
    );
  }
  return {
    get isZoomed() {
      return view.level !== WHOLE;
    },
    get text() {
      return view.level === WHOLE ? 'whole picture' : `${view.level}×`;
    },
    place,
    step,
    reset: () => setLevel(WHOLE),
    move,
  };
}
