// Writes the tables of docs/cli.md from the tables of commands, flags and tools: `npm run docs`.
//
// A table stands between `<!-- table: NAME -->` and `<!-- end of table -->`; the rest of the page is written by hand.
// With --check nothing is written, and the exit status is 1 if the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../dist/cli/flags/command-table.js';
import { flagName } from '../dist/cli/flags/flag-row.js';
import { defaultInWords, flagsOf, flagTerm } from '../dist/cli/flags/flag-table.js';
import { legalToolValues } from '../dist/cli/flags/tool-flags.js';
import { PRESET_NAMES, TOOLS } from '../dist/encoder/settings/presets.js';

const PAGE = fileURLToPath(new URL('../docs/cli.md', import.meta.url));

const code = text => `\`${text.replaceAll('|', '\\|')}\``;
const row = cells => `| ${cells.join(' | ')} |`;
const table = (header, rows) => [row(header), row(header.map(() => '---')), ...rows.map(row)].join('\n');

const commandTable = () =>
  table(
    ['command', 'what it does'],
    Object.entries(COMMANDS).map(([name, { meaning, arguments: given }]) => [
      code(['mpegpu', name, ...given.map(({ term }) => term)].join(' ')),
      meaning,
    ]),
  );

/** The commands whose flags are options of the encoder, too. */
const ENCODING = ['encode', 'plan', 'farm submit', 'compare'];

function flagTables(command) {
  const withOptions = ENCODING.includes(command);
  const header = ['flag', 'what it does', 'default', ...(withOptions ? ['in a program'] : [])];
  const rowOf = (term, meaning, defaultValue = '', option = undefined) => [
    code(term),
    meaning,
    defaultValue,
    ...(withOptions ? [option === undefined ? '' : code(option)] : []),
  ];
  const rowsOf = flag => [
    rowOf(flagTerm(flag), flag.meaning, defaultInWords(flag), flag.option),
    ...(flag.negation === undefined ? [] : [rowOf(`--no-${flag.name}`, flag.negation)]),
  ];
  return flagsOf(command)
    .map(({ title, flags }) => `**${title}**\n\n${table(header, flags.flatMap(rowsOf))}`)
    .join('\n\n');
}

/** A value of a tool as `--tool` spells it. */
const setting = value => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

function toolTable() {
  const encodeFlags = flagsOf('encode').flatMap(({ flags }) => flags);
  const rows = Object.entries(TOOLS).map(([name, { values, presets, meaning, ownOption }]) => [
    code(
      ownOption === undefined
        ? `${flagName(name)}=${legalToolValues({ values })}`
        : flagTerm(encodeFlags.find(({ option }) => option === ownOption)),
    ),
    ...PRESET_NAMES.map(preset => setting(presets[preset])),
    meaning,
  ]);
  return table(['tool', ...PRESET_NAMES.map(code), 'what it does'], rows);
}

const TABLES = {
  commands: commandTable,
  tools: toolTable,
  ...Object.fromEntries(Object.keys(COMMANDS).map(name => [`flags of ${name}`, () => flagTables(name)])),
};

const before = readFileSync(PAGE, 'utf8');
const named = [];
const after = before.replace(/(<!-- table: (.+) -->\n)[\s\S]*?(<!-- end of table -->)/g, (_, start, name, end) => {
  named.push(name);
  if (!Object.hasOwn(TABLES, name)) throw new Error(`docs/cli.md: there is no table '${name}'`);
  return `${start}\n${TABLES[name]()}\n\n${end}`;
});
const missing = Object.keys(TABLES).filter(name => !named.includes(name));
if (missing.length > 0) throw new Error(`docs/cli.md lacks the tables ${missing.join(', ')}`);
if (!process.argv.includes('--check')) writeFileSync(PAGE, after);
else if (after !== before) {
  console.error('docs/cli.md is out of date: npm run docs');
  process.exitCode = 1;
}
