// A program that is made for one line has the flags of the commands that the line names, and the names of all.
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../../src/cli/command-line.js';
import { COMMANDS } from '../../../src/cli/flags/command-table.js';
import { runCliHere } from '../run-cli.js';

const whole = createProgram();

function find(program: Command, name: string): Command {
  const below = (parent: Command, word: string) => parent.commands.find(command => command.name() === word);
  return name.split(' ').reduce((parent, word) => below(parent, word) ?? expect.fail(`no ${name}`), program);
}

it.each(Object.keys(COMMANDS))('%s has all its arguments and flags', name => {
  const program = createProgram(undefined, [...name.split(' '), 'input', '--json']);
  expect(find(program, name).helpInformation()).toBe(find(whole, name).helpInformation());
  const names = (command: Command) => command.commands.map(other => other.name());
  expect(names(program)).toEqual(names(whole));
  expect(names(find(program, 'farm'))).toEqual(names(find(whole, 'farm')));
});

it('leaves out the flags of commands that the line does not name', () => {
  const program = createProgram(undefined, ['encode', 'input']);
  expect(find(program, 'compare').options).toEqual([]);
  expect(find(whole, 'compare').options).not.toEqual([]);
});

it.each([[[]], [['--help']], [['farm', '--help']], [['encodee']]])('of %j lists all commands as ever', args => {
  expect(createProgram(undefined, args).helpInformation()).toBe(whole.helpInformation());
});

it.each([
  ['help farm submit', 'farm submit --help'],
  ['help encode', 'encode --help'],
])('%s prints what %s prints', async (line, flag) => {
  const { stdout, status } = await runCliHere(line.split(' '), { cwd: '.' });
  expect(stdout.toString()).toBe((await runCliHere(flag.split(' '), { cwd: '.' })).stdout.toString());
  expect(status).toBe(0);
});
