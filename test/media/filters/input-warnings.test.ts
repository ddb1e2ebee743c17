// What is told of a video, by what is known of it and by the options.
import { expect, it } from 'vitest';
import { videoWarnings } from '../../../src/media/filters/input-warnings.js';

const plain = { isAlone: true };
const bt601 = 'a does not say BT.709 or BT.2020: toBt601 converts nothing';
const kept =
  'a keeps its colours of BT.709, but players take MPEG-1 of less than 720 lines for BT.601: toBt601 converts them';
const onColour = (colour: string) =>
  `a has an alpha channel: it is shown on ${colour}, and background chooses another colour`;
const toned = 'a has high dynamic range (HLG), which MPEG-1 lacks: it is tone-mapped to standard range';

it.each([
  [{}, 100, {}, []],
  [
    { firstField: 'top' },
    100,
    {},
    ['a is interlaced, top field first, and is taken as it is: deinterlace makes it progressive'],
  ],
  [{ firstField: 'bottom' }, 100, { deinterlace: true }, []],
  [{ alpha: 'rgb' }, 100, {}, [onColour('black')]],
  [{ alpha: 'yuv' }, 100, { background: '#FF0000' }, [onColour('red')]],
  [{ alpha: 'yuv' }, 100, { background: 'Maroon' as 'maroon' }, [onColour('maroon')]],
  [{ alpha: 'yuv' }, 100, { background: '#123456' }, [onColour('#123456')]],
  [{ hdr: 'HLG' }, 100, {}, [toned]],
  [{ matrix: 'BT.709' }, 719, {}, [kept]],
  [{ matrix: 'BT.709' }, 720, {}, []],
  [{ matrix: 'BT.709' }, undefined, {}, []],
  [{ matrix: 'BT.709' }, 100, { toBt601: true }, []],
  [{}, 1080, { toBt601: true }, [bt601]],
  [{}, undefined, { toBt601: true }, []],
  [{ hdr: 'HLG' }, 100, { toBt601: true }, [toned]],
  [{ alpha: 'rgb' }, 100, { toBt601: true }, [onColour('black')]],
  [{ alpha: 'yuv' }, 100, { toBt601: true }, [onColour('black'), bt601]],
  [
    { leftOut: { videos: 2, subtitles: 0 } },
    100,
    {},
    ['a has 3 video tracks: the first one is taken, the others are left out'],
  ],
  [{ leftOut: { videos: 0, subtitles: 1 } }, 100, {}, ['a has subtitles: they are left out']],
] as const)('%o with %s lines and %o', (facts, lines, options, expected) => {
  expect(videoWarnings('a', { ...plain, ...facts }, lines, options)).toEqual(expected);
});

it('options are named as the caller writes them', () => {
  const facts = { ...plain, firstField: 'top', alpha: 'yuv', matrix: 'BT.709' } as const;
  const told = videoWarnings('a', facts, 100, { optionNaming: name => `--${name}` });
  expect(told.map(text => /--\w+/.exec(text)?.[0])).toEqual(['--deinterlace', '--background', '--toBt601']);
  expect(videoWarnings('a', plain, 100, { toBt601: true, optionNaming: name => `--${name}` })[0]).toContain(
    '--toBt601',
  );
});
