// Compares the documentation of `EncoderOptions` with the table of options, and every preset with the table of tools.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, it } from 'vitest';
import { ENCODER_OPTIONS } from '../../../src/encoder/settings/option-table.js';
import { checkValue, type OptionValues, type OtherValues } from '../../../src/encoder/settings/option-values.js';
import { PRESET_NAMES, TOOLS } from '../../../src/encoder/settings/presets.js';
import { ROOT } from '../../architecture/source-tree.js';

/** The docstrings of the members of `EncoderOptions`. */
function docstrings(): Map<string, string> {
  const path = join(ROOT, 'src/encoder/options.ts');
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node)) {
      const text = ts.getJSDocCommentsAndTags(node).map(comment => comment.getText());
      found.set(node.name.getText(), text.join(' ').replace(/\s*\n\s*\*?\s*/g, ' '));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

interface Row {
  readonly values?: OptionValues | OtherValues;
  readonly default?: unknown;
  readonly presetTool?: string;
}

/** What the documentation of an option must contain. */
function facts(name: string, { values, default: value, presetTool }: Row): string[] {
  const upTo: Readonly<Record<string, string>> = { gopMin: '1..gop', maxrate: '`bitrate`..104856800' };
  const legal =
    values === undefined
      ? []
      : values.kind === 'word'
        ? values.words.map(word => `'${word}'`)
        : values.kind === 'switch' || values.kind === 'other'
          ? []
          : [upTo[name] ?? `${values.min}..${values.max}`];
  const shown = typeof value === 'object' && value ? Object.values(value).join('x') : value;
  const quoted = typeof shown === 'string' && typeof value === 'string' ? `'${shown}'` : String(shown);
  if (presetTool) return [...legal, 'default by preset'];
  return value === undefined ? legal : [...legal, `efault ${quoted}`];
}

describe('the options of the encoder', () => {
  const documented = docstrings();

  it.each(Object.entries(ENCODER_OPTIONS) as [string, Row][])(
    '%s: its documentation says what the table says',
    (name, row) => {
      expect(documented.get(name), name).toBeDefined();
      for (const fact of facts(name, row)) expect(documented.get(name), name).toContain(fact);
    },
  );

  it('are all in the table', () => expect(Object.keys(ENCODER_OPTIONS).sort()).toEqual([...documented.keys()].sort()));
});

describe('the coding tools', () => {
  it.each(Object.entries(TOOLS))('%s has a legal value in every preset', (name, { values, presets }) => {
    for (const preset of PRESET_NAMES) expect(checkValue(name, presets[preset], values)).toBe(presets[preset]);
  });
});
