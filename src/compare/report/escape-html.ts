// Puts text and JSON safely into HTML.

/** The characters that HTML gives a meaning, and how they are written. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text written as HTML; also safe in the value of an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}

/** A value as JSON for a script element: it contains no `<`, so nothing in it ends the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
