// What the playground takes of files that come together.
import { expect, it } from 'vitest';
import { fileSource } from '../../playground/sources/file-source.js';

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', webm: 'video/webm', txt: 'text/plain' };

it.each([
  { names: ['a.png', 'b.png'], taken: '2 images' },
  { names: ['a.png', 'Thumbs.db', 'b.png', 'notes.txt'], taken: '2 images' },
  { names: ['a.png', 'film.webm'], taken: 'film.webm' },
  { names: ['notes.txt', 'film.webm'], taken: 'film.webm' },
  { names: ['film.mkv'], taken: 'film.mkv' },
])('takes $taken of $names', ({ names, taken }) => {
  const files = names.map(name => new File([], name, { type: TYPES[name.split('.')[1]!] ?? '' }));
  expect(fileSource(files).name).toBe(taken);
});

it('says that other files beside a film are left out', () => {
  const noteOf = (...names: string[]) =>
    fileSource(names.map(name => new File([], name, { type: TYPES[name.split('.')[1]!] ?? '' }))).note;
  expect(noteOf('a.webm')).toBe('');
  expect(noteOf('a.webm', 'b.webm')).toBe('One film is taken at a time: the other file is left out.');
  expect(noteOf('a.png', 'a.webm', 'b.webm')).toBe('One film is taken at a time: the other 2 files are left out.');
  expect(noteOf('a.png', 'b.png')).toBeUndefined();
});
