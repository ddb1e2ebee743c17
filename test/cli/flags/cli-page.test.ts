// Compares docs/cli.md, `--help` and the parser of every command with each other.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/cli/command-line.js';
import { TOOL_SWITCHES } from '../../../src/cli/flags/tool-flags.js';
import { ENCODER_OPTIONS } from '../../../src/encoder/settings/option-table.js';
import { codingTools, PRESET_NAMES } from '../../../src/encoder/settings/presets.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { OptionError } from '../../../src/errors.js';
import { ROOT } from '../../architecture/source-tree.js';

const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
const commands = leavesOf(createProgram());

/** The commands that do something: of `farm` those below it. */
function leavesOf(program: Command): Command[] {
  const own = program.commands.filter(command => command.name() !== 'help');
  return own.flatMap(command => (command.commands.length > 0 ? leavesOf(command) : command));
}

/** As one writes it: `farm submit`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
}

/** The rows of the tables between the markers of `name`, cell by cell and without their headers. */
function tableOf(name: string): string[][] {
  const text = page.split(`<!-- table: ${name} -->`)[1]?.split('<!-- end of table -->')[0];
  if (text === undefined) throw new Error(`docs/cli.md has no table '${name}'`);
  return [...text.matchAll(/^\| (.*) \|$/gm)]
    .map(([, cells = '']) => cells.split(' | ').map(cell => cell.trim().replaceAll('\\|', '|').replaceAll('`', '')))
    .filter(([first]) => !['flag', 'tool', 'command', '---'].includes(first ?? ''));
}

const flagsOf = (command: Command) => tableOf(`flags of ${nameOf(command)}`);
const words = (text: string) => text.replace(/\s+/g, ' ');

/** Values that a placeholder of the page promises; undefined where it names no values. */
function promisedValues(term: string): string[] | undefined {
  const placeholder = /<(.+)>/.exec(term)?.[1] ?? '';
  const range = /^(\d+)\.\.(\d+)$/.exec(placeholder);
  if (range) return [range[1]!, range[2]!];
  return /\|/.test(placeholder) && !/path|N\||^n\|/.test(placeholder) ? placeholder.split('|') : undefined;
}

describe('docs/cli.md', () => {
  it('is what scripts/cli-page.mjs writes', () => {
    execFileSync(process.execPath, [join(ROOT, 'scripts/cli-page.mjs'), '--check']);
  });

  it('lists the commands that --help lists', () => {
    const listed = tableOf('commands').map(([term = '', meaning]) => [
      /^mpegpu (.*?)(?: [<[].*)?$/.exec(term)?.[1],
      meaning,
    ]);
    expect(listed).toEqual(commands.map(command => [nameOf(command), command.description()]));
  });
});

describe.each(commands.map(command => [nameOf(command), command] as const))('mpegpu %s', (_, command) => {
  it('has the same flags on the page and in the parser, with the same words', () => {
    const described = flagsOf(command).map(([term, meaning, defaultValue]) => [
      term,
      defaultValue === '' ? meaning : `${meaning} (default: ${defaultValue})`,
    ]);
    expect(described).toEqual(
      command.options.filter(({ hidden }) => !hidden).map(({ flags, description }) => [flags, description]),
    );
    expect(described.length).toBeGreaterThan(0);
  });

  it('has them in --help', () => {
    const help = words(command.helpInformation());
    for (const [term, meaning] of flagsOf(command)) expect(help).toContain(words(`${term} ${meaning}`));
  });

  it('takes the values that the page promises, and no others', () => {
    for (const [term = ''] of flagsOf(command)) {
      const option = command.options.find(({ flags }) => flags === term)!;
      const parse = (text: string) => option.parseArg?.(text, undefined);
      const promised = promisedValues(term);
      for (const value of promised ?? []) expect(parse(value), `${term} ${value}`).not.toBeUndefined();
      if (promised) expect(() => parse('neither')).toThrow(`${option.long} is 'neither'; legal: `);
    }
  });
});

describe('flags that are options of the encoder', () => {
  const encode = commands.find(command => command.name() === 'encode')!;
  const rows = flagsOf(encode).filter(([, , , option]) => option !== '');

  it('are options of the table', () => {
    const names = rows.map(([, , , option]) => option);
    expect(names.length).toBeGreaterThan(20);
    const others = ['frameRate', 'tools'];
    expect(names.filter(name => !others.includes(name!) && !Object.hasOwn(ENCODER_OPTIONS, name!))).toEqual([]);
  });

  const size = { width: 64, height: 48, frameRate: 25 };
  it.each(rows.filter(([term = '']) => /<\d+\.\.\d+>/.test(term)))(
    '%s: the encoder checks its bounds',
    (term, ...row) => {
      const [min, max] = promisedValues(term!)!.map(Number) as [number, number];
      const option = row[2]!;
      for (const value of [min, max]) expect(() => resolveOptions({ ...size, [option]: value })).not.toThrow();
      for (const value of [min - 1, max + 1]) {
        const refused = () => resolveOptions({ ...size, [option]: value });
        expect(refused).toThrow(OptionError);
        expect(refused).toThrow(new RegExp(`^${option} ${value} is not a (whole )?number from ${min} to ${max}$`));
      }
    },
  );
});

describe('the coding tools', () => {
  const rows = tableOf('tools');

  it.each(PRESET_NAMES)('have the values of preset %s on the page', preset => {
    const tools = codingTools(preset);
    const column = 1 + PRESET_NAMES.indexOf(preset);
    const spelled = Object.values(tools).map(value => ({ true: 'on', false: 'off' })[String(value)] ?? String(value));
    expect(rows.map(row => row[column])).toEqual(spelled);
  });

  it('take the values that the page promises, and are in --help', () => {
    const help = helpOf(commands.find(command => command.name() === 'encode')!);
    for (const [term = '', ...columns] of rows.filter(([term]) => !term!.startsWith('--'))) {
      const meaning = columns.at(-1)!;
      const [name, values = ''] = term.split('=');
      for (const value of promisedValues(`<${values}>`)!) {
        expect(Object.keys(TOOL_SWITCHES.parse(`${name}=${value}`)!)).toHaveLength(1);
      }
      expect(() => TOOL_SWITCHES.parse(`${name}=neither`)).toThrow(`--tool ${name} is 'neither'; legal: `);
      expect(help).toContain(words(`${term} ${meaning}`));
    }
  });
});

/** Everything that `--help` prints, also what stands after the flags. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: written => {
      text += written;
    },
  });
  command.outputHelp();
  return words(text);
}
