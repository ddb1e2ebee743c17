// Tests of text and JSON in HTML.
import { describe, expect, it } from 'vitest';
import { scriptJson } from '../../../src/compare/report/escape-html.js';

describe('scriptJson', () => {
  it('cannot end the script that it stands in, and stays the same JSON', () => {
    const value = { label: '</script><!-- <b>' };
    expect(scriptJson(value)).not.toContain('<');
    expect(JSON.parse(scriptJson(value))).toEqual(value);
  });
});
