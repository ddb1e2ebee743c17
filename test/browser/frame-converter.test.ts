// Options of a FrameConverter that do not exist.
import { expect, it } from 'vitest';
import { FrameConverter } from '../../src/browser/frames/frame-converter.js';

it('are refused by name', () => {
  const options = { convert: 'cpu' as const, backround: 'red' };
  expect(() => new FrameConverter(options)).toThrow("the option 'backround' does not exist; did you mean background?");
});
