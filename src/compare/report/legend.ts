// A legend of the report page.
import { escapeHtml } from './escape-html.js';

/** The colours of a plot or of the viewer with their meanings; `more` is HTML of further entries. */
export function legend(entries: readonly (readonly [label: string, colour: string])[], more = ''): string {
  const items = entries.map(
    ([label, colour]) => `<li><span class="swatch" style="--colour:${colour}"></span>${escapeHtml(label)}</li>`,
  );
  return `<ul class="legend">${items.join('')}${more}</ul>`;
}
