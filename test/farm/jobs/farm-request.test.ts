// Which requests a farm takes.
import { expect, it } from 'vitest';
import { checkRequest, type FarmRequest } from '../../../src/farm/jobs/farm-request.js';

/** A request for this output. */
function requestFor(output: string, more: Partial<FarmRequest> = {}): FarmRequest {
  const sound = { audio: 'file:sound/tone.wav' };
  return {
    input: 'file:movie.mpg',
    output,
    store: 'file:store',
    reading: {},
    options: {},
    sound,
    overwrite: true,
    ...more,
  };
}

it.each([
  ['file:movie.mpg', 'the input'],
  ['file:./movie.mpg', 'the input'],
  ['file:.//./movie.mpg', 'the input'],
  ['file:sound//tone.wav', 'the sound'],
])('refuses the output %s, which is %s', (output, what) => {
  const message = `the output is ${what}: ${output}`;
  expect(() => checkRequest(requestFor(output))).toThrow(expect.objectContaining({ name: 'OptionError', message }));
});

it('refuses an output in a bucket that is the input', () => {
  const url = 's3://films/movie.mpg';
  expect(() => checkRequest(requestFor(url, { input: url }))).toThrow(/the output is the input: s3:/);
});

it('refuses places that are none, whatever is to lie there', () => {
  for (const name of ['input', 'output', 'store'] as const) {
    expect(() => checkRequest({ ...requestFor('file:other.mpg'), [name]: '/tmp/a' })).toThrow("'/tmp/a' is no place");
  }
  expect(() => checkRequest(requestFor('file:other.mpg', { sound: { audio: 'tone.wav' } }))).toThrow(
    "'tone.wav' is no",
  );
});

it('refuses what no request has', () => {
  const request = { ...requestFor('file:other.mpg'), overwite: true };
  expect(() => checkRequest(request)).toThrow("the option 'overwite' does not exist; did you mean overwrite?");
});

it('takes an output of its own', () => {
  for (const output of ['file:Movie.mpg', 'file:sound/movie.mpg', 's3://films/movie.mpg']) {
    expect(() => checkRequest(requestFor(output))).not.toThrow();
  }
});

it('refuses a request that lacks a part', () => {
  for (const part of ['reading', 'options', 'sound']) {
    expect(() => checkRequest(requestFor('file:other.mpg', { [part]: undefined }))).toThrow(
      `${part} undefined is not an object`,
    );
  }
});
