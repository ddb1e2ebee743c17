// Which errors say that a queue does not answer: Redis, PostgreSQL and their clients have words of their own.
import { expect, it } from 'vitest';
import { isNoAnswer } from '../../../src/farm/queue/connection.js';

it.each<[message: string, code?: string]>([
  ['Command timed out'],
  ['Connection is closed.'],
  ['Query read timeout'],
  ['timeout expired'],
  ['timeout exceeded when trying to connect'],
  ['Connection terminated unexpectedly'],
  ['connect', 'ECONNREFUSED'],
  ['the database system is starting up', '57P03'],
])('%s %s', (message, code) => {
  expect(isNoAnswer(Object.assign(new Error(message), { code }))).toBe(true);
});

it.each([
  ['syntax error', '42601'],
  ['job 5 does not exist', undefined],
  ['a step says: Command timed out', undefined],
])('%s %s is an answer', (message, code) => {
  expect(isNoAnswer(Object.assign(new Error(message), { code }))).toBe(false);
  expect(isNoAnswer(message)).toBe(false);
});
