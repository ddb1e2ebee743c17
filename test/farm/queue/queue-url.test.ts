// URLs of queues, and what messages show of them.
import { expect, it } from 'vitest';
import { parseQueueUrl } from '../../../src/farm/queue/queue-url.js';

it.each([
  ['redis://queue:6379', 'redis', 'redis://queue:6379'],
  ['rediss://:secret@queue:6379/2', 'redis', 'rediss://...@queue:6379/2'],
  ['postgres://films:sec:r@t@queue/films', 'postgres', 'postgres://...@queue/films'],
  ['postgres://queue/films?password=secret&user=a', 'postgres', 'postgres://queue/films?password=...&user=a'],
  ['postgresql://films@queue/films', 'postgres', 'postgresql://...@queue/films'],
  ['redis://secret@queue', 'redis', 'redis://...@queue'],
  ['postgres://q/f?password=a@b&password=secret', 'postgres', 'postgres://q/f?password=...&password=...'],
])('%s is of %s', (url, kind, shown) => {
  expect(parseQueueUrl(url)).toEqual({ kind, url, shown });
});

it.each([
  ['redsi://:secret@queue', 'redsi://...@queue'],
  ['http://films:sec/ret@queue', 'http://...@queue'],
  ['redis://:sec ret@que ue', 'redis://...@que ue'],
  ['queue:6379', 'queue:6379'],
  [':secret@queue:6379', '...@queue:6379'],
  ['redsi:secret@queue', '...@queue'],
])('%s names none', (url, shown) => {
  expect(() => parseQueueUrl(url)).toThrow(`url '${shown}' names no queue; legal: redis://HOST:PORT`);
});

it('a database of Redis has a number', () => {
  expect(() => parseQueueUrl('redis://:secret@queue/abc')).toThrow(/redis:\/\/\.\.\.@queue\/abc'.* is a number/);
});

it('a % in a password is written %25', () => {
  expect(() => parseQueueUrl('redis://:100%sure@queue')).toThrow(/^url 'redis:\/\/\.\.\.@queue'.* written %25/);
});
