// The program of the report's buttons that save files, which runs in the reader's browser.

/**
 * Saves the files that the page holds, deflated in base64, and its plots as SVG with their title and legend. The page
 * contains the text of this function, so that it may use nothing from outside itself but types.
 */
export function saveProgram(): void {
  const MARGIN = 16;
  const TITLE_HEIGHT = 40;
  const LEGEND_ROW = 22;
  /** Mean width of a letter of the legend; it only has to keep the entries apart. */
  const LETTER_WIDTH = 7.2;
  const SVG = 'http://www.w3.org/2000/svg';

  function save(name: string, blob: Blob): void {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async function saveFile({ name, mediaType }: DOMStringMap, packed: string): Promise<void> {
    const bytes = Uint8Array.from(atob(packed), character => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    save(name!, new Blob([await new Response(stream).arrayBuffer()], { type: mediaType! }));
  }

  const element = (name: string, attributes: Record<string, string | number>, text = ''): SVGElement => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    made.textContent = text;
    return made;
  };

  /** A copy of a plot whose colours do not depend on this page. */
  function standAlone(svg: SVGSVGElement): SVGSVGElement {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    const originals = [svg, ...Array.from(svg.querySelectorAll('*'))];
    for (const [i, made] of [copy, ...Array.from(copy.querySelectorAll('*'))].entries()) {
      const style = getComputedStyle(originals[i]!);
      for (const name of ['fill', 'stroke'] as const) {
        if (/var\(|currentColor/i.test(made.getAttribute(name) ?? '')) made.setAttribute(name, style[name]);
      }
      for (const name of made.getAttributeNames()) if (name.startsWith('whole-')) made.removeAttribute(name);
    }
    for (const hidden of Array.from(copy.querySelectorAll('[style*="display: none"]'))) hidden.remove();
    return copy;
  }

  function figureAsSvg(figure: HTMLElement): string {
    const svg = Array.from(figure.querySelectorAll('svg')).find(one => one.getBoundingClientRect().width > 0)!;
    const { width, height } = svg.viewBox.baseVal;
    const page = getComputedStyle(document.body);
    const legend: SVGElement[] = [];
    let [x, y] = [MARGIN, TITLE_HEIGHT + height + LEGEND_ROW];
    for (const entry of Array.from(figure.querySelectorAll('.legend li'))) {
      const label = entry.textContent!.trim();
      const entryWidth = 36 + LETTER_WIDTH * label.length;
      if (x > MARGIN && x + entryWidth > width) [x, y] = [MARGIN, y + LEGEND_ROW];
      const colour = getComputedStyle(entry.querySelector('.swatch')!).backgroundColor;
      legend.push(element('rect', { x, y: y - 10, width: 12, height: 12, rx: 3, fill: colour }));
      legend.push(element('text', { x: x + 19, y, fill: page.color }, label));
      x += entryWidth;
    }
    const full = y + MARGIN;
    const size = { width, height: full, viewBox: `0 0 ${width} ${full}` };
    const whole = element('svg', { ...size, 'font-family': 'system-ui, sans-serif', 'font-size': 13 });
    const surface = getComputedStyle(figure).backgroundColor;
    const title = figure.querySelector('h2')!.textContent!;
    const plot = standAlone(svg);
    plot.setAttribute('y', String(TITLE_HEIGHT));
    whole.append(
      element('rect', { width, height: full, fill: surface }),
      element('text', { x: MARGIN, y: 26, 'font-size': 16, 'font-weight': 600, fill: page.color }, title),
      plot,
      ...legend,
    );
    return new XMLSerializer().serializeToString(whole);
  }

  for (const button of Array.from(document.querySelectorAll<HTMLElement>('button.save-file'))) {
    const { name } = button.dataset;
    const packed = document.querySelector(`script[data-file="${CSS.escape(name!)}"]`)!.textContent!;
    button.addEventListener('click', () => void saveFile(button.dataset, packed));
  }
  for (const button of Array.from(document.querySelectorAll<HTMLElement>('button.save-svg'))) {
    const figure = button.closest('figure')!;
    const name = `${figure.id.replace(/^plot-/, '')}.svg`;
    button.addEventListener('click', () => save(name, new Blob([figureAsSvg(figure)], { type: 'image/svg+xml' })));
  }
}
