// Each coding tool is switched alone, and changes nothing else.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { codingTools, PRESET_NAMES } from '../../../src/encoder/settings/presets.js';
import { switchTools, TOOL_NAMES, type ToolSwitches } from '../../../src/encoder/settings/tool-switches.js';
import { OptionError } from '../../../src/errors.js';
import { encodeFrames } from '../../support/encode.js';

const size = { width: 96, height: 80 };
const frames = [...generateSample({ kind: 'snow', ...size, frames: 6, seed: 3 })];

/** Each tool as a preset has it, and another way that changes the stream. */
const CHANGES: Required<ToolSwitches> = {
  rateDistortionModes: false,
  earlySkips: false,
  rdVectorCandidates: 4,
  trellis: 'none',
  quantizerSearchRadius: 0,
  refinementRounds: 0,
  jointRounds: 0,
  directionFactor: 4,
  neighbourVectors: false,
  lookaheadVectors: false,
  bPictureMotion: 'both',
  adaptiveTypes: false,
  macroblockTree: false,
};

describe('tool switches', () => {
  it('leave the preset as it is where none is given', () => {
    for (const preset of PRESET_NAMES) expect(switchTools(codingTools(preset), {})).toEqual(codingTools(preset));
  });

  it('every tool has one', () => {
    expect(Object.keys(CHANGES).sort()).toEqual([...TOOL_NAMES].sort());
    const others = ['bFrames', 'openGop', 'candidatesPerBlock']; // options of their own
    expect([...TOOL_NAMES, ...others].sort()).toEqual(Object.keys(codingTools('best')).sort());
  });

  it.each(Object.entries(CHANGES))('%s: %s changes that alone, and is coded', async (name, value) => {
    const balanced = codingTools('balanced');
    const changed = switchTools(balanced, { [name]: value });
    expect(changed).toEqual({ ...balanced, [name]: value });
    expect(changed).not.toEqual(balanced);
    const { statistics } = await encodeFrames(frames, { ...size, tools: { [name]: value } as ToolSwitches });
    expect(statistics.frames).toBe(6);
  });

  it('the tools that matter on any sequence change the stream', async () => {
    const { stream } = await encodeFrames(frames, size);
    for (const name of ['rateDistortionModes', 'trellis', 'refinementRounds', 'neighbourVectors'] as const) {
      const other = await encodeFrames(frames, { ...size, tools: { [name]: CHANGES[name] } });
      expect(other.stream, name).not.toEqual(stream);
    }
  });

  it('balanced with the tools of fast is fast', async () => {
    const { bFrames, openGop, candidatesPerBlock, ...tools } = codingTools('fast');
    const others = { bFrames, openGop, candidates: candidatesPerBlock };
    const fast = await encodeFrames(frames, { ...size, preset: 'fast' });
    const same = await encodeFrames(frames, { ...size, preset: 'balanced', tools, ...others });
    expect(same.stream).toEqual(fast.stream);
  });

  it.each([
    [{ trelis: 'none' }, /'trelis' does not exist; legal: rateDistortionModes, .*trellis/],
    [{ trellis: 'some' }, /tools\.trellis 'some' does not exist; legal: none, chosen, all/],
    [{ rateDistortionModes: 1 }, /tools\.rateDistortionModes 1 is not true or false/],
    [{ rdVectorCandidates: 0 }, /tools\.rdVectorCandidates 0 is not a whole number from 1 to 64/],
    [{ jointRounds: 1.5 }, /tools\.jointRounds 1\.5 is not a whole number from 0 to 16/],
    [{ bFrames: 2 }, /'bFrames' does not exist/],
  ])('%o is refused', (tools, says) => {
    const refused = () => switchTools(codingTools('best'), tools as ToolSwitches);
    expect(refused).toThrow(OptionError);
    expect(refused).toThrow(says);
  });
});
