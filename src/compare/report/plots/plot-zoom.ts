// Zooms into the plots of the report; runs in the reader's browser.

/** An axis of a plot, in the coordinates of its SVG. */
export interface PlotAxis {
  readonly type: 'linear' | 'log';
  /** The values at the two ends of `range`. */
  readonly domain: readonly [number, number];
  readonly range: readonly [number, number];
  /** `ssim`: values are SSIM in dB, and labels plain SSIM. */
  readonly labels: 'plain' | 'ssim';
}

/** The axes of a plot that can be zoomed. */
export interface PlotAxes {
  readonly x: PlotAxis | undefined;
  readonly y: PlotAxis | undefined;
}

/** Where a coordinate of the whole plot lies now: `scale * coordinate + shift`. */
export interface AxisZoom {
  readonly scale: number;
  readonly shift: number;
}

/**
 * Draws a plot of Observable Plot as it is between other ends of its axes: marks, ticks, labels and grid. The page
 * contains the text of this function, so that it may use nothing from outside itself but types.
 */
export function drawZoomed(
  svg: SVGSVGElement,
  axes: PlotAxes,
  zoom: { readonly x: AxisZoom; readonly y: AxisZoom },
): void {
  const WHOLE = 1;
  const isWhole = zoom.x.scale === WHOLE && zoom.y.scale === WHOLE;
  /** What an attribute was when the whole plot was shown. */
  const original = (element: Element, name: string): string => {
    const key = `whole-${name}`;
    if (!element.hasAttribute(key)) element.setAttribute(key, element.getAttribute(name) ?? '');
    return element.getAttribute(key)!;
  };
  const at = ({ scale, shift }: AxisZoom, coordinate: number): number => scale * coordinate + shift;
  const moved = (element: Element, name: string, axis: AxisZoom): void =>
    element.setAttribute(name, String(at(axis, Number(original(element, name)))));

  /** Cuts off what lies outside of the axes. */
  function clip(group: Element): void {
    group.removeAttribute('clip-path');
    if (isWhole) return;
    let path = svg.querySelector('clipPath');
    if (!path) {
      path = document.createElementNS(svg.namespaceURI, 'clipPath') as SVGClipPathElement;
      path.id = `clip-${document.querySelectorAll('clipPath').length}`;
      const inset = 6; // dots on the edge stay whole
      const ends = (axis: PlotAxis | undefined, whole: number) =>
        axis ? [Math.min(...axis.range) - inset, Math.max(...axis.range) + inset] : [0, whole];
      const [left, right] = ends(axes.x, svg.viewBox.baseVal.width) as [number, number];
      const [top, bottom] = ends(axes.y, svg.viewBox.baseVal.height) as [number, number];
      const inside = document.createElementNS(svg.namespaceURI, 'path');
      inside.setAttribute('d', `M${left},${top}H${right}V${bottom}H${left}Z`);
      path.append(inside);
      svg.append(path);
    }
    group.setAttribute('clip-path', `url(#${path.id})`);
  }

  function moveMark(mark: Element): void {
    const { x, y } = zoom;
    if (mark.tagName === 'circle') {
      moved(mark, 'cx', x);
      moved(mark, 'cy', y);
    } else if (mark.tagName === 'path') {
      mark.setAttribute('transform', `matrix(${x.scale} 0 0 ${y.scale} ${x.shift} ${y.shift})`);
      mark.setAttribute('vector-effect', 'non-scaling-stroke');
    } else if (mark.tagName === 'line') {
      const isUpright = original(mark, 'x1') === original(mark, 'x2');
      for (const name of isUpright ? ['x1', 'x2'] : ['y1', 'y2']) moved(mark, name, isUpright ? x : y);
    } else if (mark.tagName === 'rect') {
      moved(mark, 'x', x);
      mark.setAttribute('width', String(x.scale * Number(original(mark, 'width'))));
    } else if (mark.tagName === 'text') {
      const [left, top] = original(mark, 'transform')
        .match(/-?[\d.]+/g)!
        .map(Number);
      mark.setAttribute('transform', `translate(${at(x, left!)},${at(y, top!)})`);
    }
  }

  /** The value at a coordinate of the zoomed plot, and the coordinate of a value. */
  function scaleOf({ type, domain, range }: PlotAxis, axisZoom: AxisZoom) {
    const [forth, back] = type === 'log' ? [Math.log10, (v: number) => 10 ** v] : [(v: number) => v, (v: number) => v];
    const [low, high] = domain.map(forth) as [number, number];
    const [start, end] = range;
    return {
      value: (coordinate: number) =>
        back(low + (((coordinate - axisZoom.shift) / axisZoom.scale - start) / (end - start)) * (high - low)),
      coordinate: (value: number) => at(axisZoom, start + ((forth(value) - low) / (high - low)) * (end - start)),
    };
  }

  /** About five round values from `low` to `high`. */
  function roundValues(low: number, high: number): number[] {
    const rough = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(digit => digit * power).find(size => size >= rough)!;
    const values: number[] = [];
    for (let i = Math.ceil(low / step); i * step <= high; i++) values.push(i * step);
    return values;
  }

  function ticksOf(axis: PlotAxis, axisZoom: AxisZoom): { coordinate: number; label: string }[] {
    const { value, coordinate } = scaleOf(axis, axisZoom);
    const ends = axis.range.map(value).sort((a, b) => a - b) as [number, number];
    const toSsim = (db: number) => 1 - 10 ** (-db / 10);
    const isSsim = axis.labels === 'ssim';
    const [low, high] = isSsim ? (ends.map(toSsim) as [number, number]) : ends;
    const digits = Math.max(0, Math.ceil(-Math.log10((high - low) / 5)));
    return roundValues(low, high)
      .filter(tick => !isSsim || tick < 1)
      .map(tick => ({
        coordinate: coordinate(isSsim ? -10 * Math.log10(1 - tick) : tick),
        label: String(Number(tick.toFixed(Math.min(9, digits)))),
      }));
  }

  /** Replaces the ticks of an axis, their labels and the grid; the first one of each is the pattern. */
  function drawAxis(name: 'x' | 'y', axis: PlotAxis): void {
    const ticks = ticksOf(axis, zoom[name]);
    for (const part of [`${name}-axis tick`, `${name}-axis tick label`, `${name}-grid`]) {
      const group = svg.querySelector(`:scope > g[aria-label="${part}"]:not([data-zoomed])`) as SVGGElement | null;
      if (!group?.firstElementChild) continue;
      if (group.nextElementSibling?.hasAttribute('data-zoomed')) group.nextElementSibling.remove();
      group.style.display = isWhole ? '' : 'none';
      if (isWhole) continue;
      const copy = group.cloneNode() as SVGGElement;
      copy.style.display = '';
      copy.setAttribute('data-zoomed', '');
      for (const { coordinate, label } of ticks) {
        const item = group.firstElementChild.cloneNode() as Element;
        if (part.endsWith('grid')) {
          for (const end of [1, 2]) item.setAttribute(`${name}${end}`, String(coordinate));
        } else {
          const [left, top] = item.getAttribute('transform')!.match(/-?[\d.]+/g)!;
          item.setAttribute(
            'transform',
            `translate(${name === 'x' ? coordinate : left},${name === 'y' ? coordinate : top})`,
          );
          if (part.endsWith('label')) item.textContent = label;
        }
        copy.append(item);
      }
      group.after(copy);
    }
  }

  for (const group of Array.from(svg.querySelectorAll(':scope > g'))) {
    if (!['line', 'dot', 'rule', 'bar', 'text'].includes(group.getAttribute('aria-label') ?? '')) continue;
    for (const mark of Array.from(group.children)) moveMark(mark);
    clip(group);
  }
  if (axes.x) drawAxis('x', axes.x);
  if (axes.y) drawAxis('y', axes.y);
}
