// The program of the report's plots, which runs in the reader's browser: zoom by keys, wheel, buttons and dragging.
import type { AxisZoom, drawZoomed as DrawZoomed, PlotAxes } from './plot-zoom.js';

/**
 * Lets the reader zoom into each `.plot-area`. Tells the window by a `plotzoom` event. The page contains the text of
 * this function, so that it may use nothing from outside itself but types.
 */
export function plotProgram(drawZoomed: typeof DrawZoomed): void {
  const STEP = 1.5;
  const MAX_SCALE = 400;
  /** Share of the plot by which a key moves it. */
  const KEY_MOVE = 0.15;
  /** A drag over fewer CSS pixels is a click; one as flat as this selects along x alone. */
  const MIN_DRAG = 6;
  const FLAT_DRAG = 24;
  const WHOLE: AxisZoom = { scale: 1, shift: 0 };

  function attach(area: HTMLElement): void {
    const svg = area.querySelector('svg')!;
    const axes = JSON.parse(area.dataset.axes!) as PlotAxes;
    const cursor = area.querySelector<HTMLElement>('.cursor');
    const state = { x: WHOLE, y: WHOLE };
    const box = document.createElement('i');
    box.className = 'selection';
    box.hidden = true;
    area.append(box);

    /** Keeps an axis within the whole plot. */
    function limited(name: 'x' | 'y', { scale, shift }: AxisZoom): AxisZoom {
      const range = axes[name]?.range;
      if (!range || scale <= 1) return WHOLE;
      const [low, high] = [Math.min(...range), Math.max(...range)];
      const size = Math.min(MAX_SCALE, scale);
      return { scale: size, shift: Math.max(high - size * high, Math.min(low - size * low, shift)) };
    }

    function show(x: AxisZoom, y: AxisZoom): void {
      state.x = limited('x', x);
      state.y = limited('y', y);
      area.classList.toggle('zoomed', isZoomed());
      drawZoomed(svg, axes, state);
      if (cursor) {
        const { from, to } = cursor.dataset;
        const width = svg.viewBox.baseVal.width;
        const moved = (share: string) => String(state.x.scale * Number(share) + state.x.shift / width);
        cursor.dataset.first = moved(from!);
        cursor.dataset.last = moved(to!);
        dispatchEvent(new Event('plotzoom'));
      }
    }

    const isZoomed = (): boolean => state.x.scale > 1 || state.y.scale > 1;
    const middle = (name: 'x' | 'y'): number => {
      const [start, end] = axes[name]?.range ?? [0, 0];
      return (start + end) / 2;
    };

    /** Zooms so that the point (x, y) of the SVG stays where it is. */
    function zoomBy(factor: number, x = middle('x'), y = middle('y')): void {
      const about = ({ scale, shift }: AxisZoom, point: number): AxisZoom => ({
        scale: scale * factor,
        shift: point - factor * (point - shift),
      });
      show(about(state.x, x), about(state.y, y));
    }

    function moveBy(shareX: number, shareY: number): void {
      const { width, height } = svg.viewBox.baseVal;
      const by = ({ scale, shift }: AxisZoom, distance: number): AxisZoom => ({ scale, shift: shift + distance });
      show(by(state.x, shareX * width), by(state.y, shareY * height));
    }

    /** A point of the page in the coordinates of the SVG. */
    function pointOf({ clientX, clientY }: MouseEvent): { x: number; y: number } {
      const { left, top, width } = svg.getBoundingClientRect();
      const unit = svg.viewBox.baseVal.width / width;
      return { x: (clientX - left) * unit, y: (clientY - top) * unit };
    }

    /** Shows what lies between two coordinates of an axis. */
    function between(name: 'x' | 'y', from: number, to: number): AxisZoom {
      const range = axes[name]?.range;
      const current = state[name];
      if (!range || from === to) return current;
      const [low, high] = [Math.min(...range), Math.max(...range)];
      const [start, end] = [Math.max(low, Math.min(from, to)), Math.min(high, Math.max(from, to))];
      const factor = (high - low) / Math.max(1e-3, end - start);
      return { scale: current.scale * factor, shift: low + factor * (current.shift - start) };
    }

    let start: PointerEvent | undefined;
    let dragged = false;
    area.addEventListener('pointerdown', event => {
      dragged = false;
      start = event.button === 0 ? event : undefined;
    });
    area.addEventListener('pointermove', event => {
      if (!start || event.buttons === 0) return;
      const [width, height] = [event.clientX - start.clientX, event.clientY - start.clientY];
      if (!dragged && Math.hypot(width, height) < MIN_DRAG) return;
      if (!dragged) area.setPointerCapture(event.pointerId);
      dragged = true;
      const { left, top, height: full } = area.getBoundingClientRect();
      const isFlat = Math.abs(height) < FLAT_DRAG;
      box.hidden = false;
      box.style.left = `${Math.min(start.clientX, event.clientX) - left}px`;
      box.style.width = `${Math.abs(width)}px`;
      box.style.top = `${isFlat ? 0 : Math.min(start.clientY, event.clientY) - top}px`;
      box.style.height = `${isFlat ? full : Math.abs(height)}px`;
    });
    area.addEventListener('pointerup', event => {
      box.hidden = true;
      if (!start || !dragged) return;
      const [from, to] = [pointOf(start), pointOf(event)];
      const isFlat = Math.abs(event.clientY - start.clientY) < FLAT_DRAG;
      show(between('x', from.x, to.x), isFlat ? state.y : between('y', from.y, to.y));
      start = undefined;
    });
    area.addEventListener('pointercancel', () => {
      start = undefined;
      box.hidden = true;
    });
    // A drag is no click on a picture's point.
    area.addEventListener('click', event => dragged && event.stopImmediatePropagation(), { capture: true });
    area.addEventListener('dblclick', () => show(WHOLE, WHOLE));
    area.addEventListener(
      'wheel',
      event => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const { x, y } = pointOf(event);
        zoomBy(event.deltaY < 0 ? STEP : 1 / STEP, x, y);
      },
      { passive: false },
    );
    const keys: Record<string, () => void> = {
      '+': () => zoomBy(STEP),
      '=': () => zoomBy(STEP),
      '-': () => zoomBy(1 / STEP),
      0: () => show(WHOLE, WHOLE),
    };
    const keysZoomed: Record<string, () => void> = {
      Escape: () => show(WHOLE, WHOLE),
      ArrowLeft: () => moveBy(KEY_MOVE, 0),
      ArrowRight: () => moveBy(-KEY_MOVE, 0),
      ArrowUp: () => moveBy(0, KEY_MOVE),
      ArrowDown: () => moveBy(0, -KEY_MOVE),
    };
    area.addEventListener('keydown', event => {
      const action = keys[event.key] ?? (isZoomed() ? keysZoomed[event.key] : undefined);
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation(); // elsewhere the arrows step through the pictures
      action();
    });
    const button = (name: string, action: () => void): void =>
      area.closest('figure')!.querySelector(`.${name}`)!.addEventListener('click', action);
    const isShown = (): boolean => area.offsetParent !== null;
    button('zoom-in', () => isShown() && zoomBy(STEP));
    button('zoom-out', () => isShown() && zoomBy(1 / STEP));
    button('zoom-whole', () => show(WHOLE, WHOLE));
  }

  for (const area of Array.from(document.querySelectorAll<HTMLElement>('.plot-area'))) attach(area);
}
