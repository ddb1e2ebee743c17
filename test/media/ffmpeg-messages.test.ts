// What is made of ffmpeg's lines: why it failed, which faults a file has, and whether another ffmpeg might do better.
import { describe, expect, it } from 'vitest';
import { FfmpegMessages } from '../../src/media/ffmpeg-messages.js';

function messagesOf(...lines: string[]): FfmpegMessages {
  const messages = new FfmpegMessages('file:/a.mkv');
  for (const line of lines) messages.add(line);
  return messages;
}

describe('why ffmpeg failed', () => {
  it.each([
    [
      '[mov @ 0x1] [error] moov atom not found',
      'its index is missing: it is not whole, or not what its name says (ffmpeg: moov atom not found)',
    ],
    ["[fatal] Stream map '0:v:0' matches no streams.", 'it has no pictures'],
    ['[error] Output file #0 does not contain any stream', 'it has no pictures'],
    [
      '[error] Decoder (codec av1) not found for input stream #0:0',
      'this ffmpeg cannot decode it (ffmpeg: Decoder (codec av1) not found for input stream #0:0)',
    ],
    ["[error] Unknown decoder 'libvpx'", "this ffmpeg cannot decode it (ffmpeg: Unknown decoder 'libvpx')"],
    [
      "[AVFilterGraph @ 0x1] [error] No such filter: 'bwdif'",
      "this ffmpeg lacks a part that is needed (ffmpeg: No such filter: 'bwdif')",
    ],
    [
      "[error] Unrecognized option 'max_pixels'.",
      "this ffmpeg lacks a part that is needed (ffmpeg: Unrecognized option 'max_pixels'.)",
    ],
    [
      "[fatal] Unknown input format: 'obu'",
      "this ffmpeg lacks a part that is needed (ffmpeg: Unknown input format: 'obu')",
    ],
    ['[error] av_interleaved_write_frame(): No space left on device', 'the disk is full'],
    ['[error] Cannot allocate memory', 'there is not enough memory'],
    [
      '[IMGUTILS @ 0x1] [error] Picture size 70000x70000 is invalid',
      'its pictures are too large (ffmpeg: Picture size 70000x70000 is invalid)',
    ],
    [
      '[error] Could not find codec parameters for stream 0',
      'its header does not say enough (ffmpeg: Could not find codec parameters for stream 0)',
    ],
    ['[matroska @ 0x1] [error] File ended prematurely', 'it ends early (ffmpeg: File ended prematurely)'],
    ['[h264 @ 0x1] [error] error while decoding MB 1 2', 'pictures are damaged (ffmpeg: error while decoding MB 1 2)'],
    [
      '[error] file:/a.mkv: Invalid data found when processing input',
      'it is damaged, or no file of a kind that is read',
    ],
    [
      '[in#0 @ 0x1] [error] Error opening input: Invalid data found when processing input', // ffmpeg 6.1 and newer
      'it is damaged, or no file of a kind that is read',
    ],
    [
      '[error] Error while decoding stream #0:0: Invalid data found when processing input',
      'a part of it cannot be decoded',
    ],
    ['[panic] something new', 'ffmpeg cannot read it (something new)'],
    [
      '[https @ 0x1] [hls @ 0x2] [error] Not detecting m3u8/hls with non standard extension',
      'it is a playlist (hls), which names other files: give the video itself',
    ],
    [
      '[concat @ 0x1] [error] Format not on whitelist',
      'it is a playlist (concat), which names other files: give the video itself',
    ],
    [
      "[hls,m3u @ 0x1] [error] Format not on whitelist 'mov'",
      'it is a playlist (hls,m3u), which names other files: give the video itself',
    ],
    ['[tty @ 0x1] [error] Format not on whitelist', 'it is text, no video'],
    ['[mp3 @ 0x1] [error] Format not on whitelist', 'it is no video of a kind that is read (ffmpeg takes it for mp3)'],
  ])('%s', (line, reason) => {
    expect(messagesOf(line).failure).toBe(reason);
  });

  it.each([
    ['this ffmpeg cannot decode it', ['no decoder found for: none']],
    [
      'this ffmpeg lacks a part that is needed',
      ['Option not found', "Unknown output format: 'x'", "Requested output format 'x' is not a suitable output format"],
    ],
    [
      'its header does not say enough',
      ['dimensions not set', 'stream 0: unspecified size', 'unspecified pixel format'],
    ],
    ['it ends early', ['Truncating packet of size 9 to 5', 'stream 0, partial file', 'av_read_frame: End of file']],
    [
      'pictures are damaged',
      [
        ...['ac-tex damaged at 3 4', 'CRC mismatch!', 'Corrupt decoded frame', 'concealing 9 DC errors in P frame'],
        ...['slice header error', 'non-existing PPS 0 referenced', 'missing picture in access unit', 'no frame!'],
      ],
    ],
  ])('%s: ffmpeg has many words for it', (meaning, lines) => {
    for (const line of lines) expect(messagesOf(`[error] ${line}`).failure).toBe(`${meaning} (ffmpeg: ${line})`);
  });

  it('is the last error that says something', () => {
    const cause = '[error] no decoder today';
    for (const vague of [
      '[error] file:/a.mkv: Invalid argument',
      '[error] Error while processing the decoded data for stream #0:0',
      '[error] Error reinitializing filters!',
      '[error] Conversion failed!',
      '[AVFilterGraph @ 0x1] [error] Filter not found',
      '[error] Error marking filters as finished',
      '[error] Error initializing output stream 0:0',
      '[fatal] Error opening input file a.mkv.',
      '[fatal] Error opening output file a.avi.',
      '[warning] corrupt decoded frame in stream 0',
      '[info] another line',
      '[error] ',
    ]) {
      expect(messagesOf('[error] before', cause, vague).failure).toBe('ffmpeg cannot read it (no decoder today)');
    }
    expect(messagesOf('[error] file:/a.mkv: Invalid argument', cause).failure).toContain('no decoder today');
    expect(messagesOf('[error] Conversion failed!').failure).toBeUndefined();
    expect(messagesOf('[warning] corrupt decoded frame').failure).toBeUndefined();
    expect(messagesOf('[concat @ 0x1] [error] Format not on whitelist', cause).failure).toMatch(/playlist/);
  });

  it('is that pictures are too large, whatever comes after that', () => {
    const [large, after] = [
      '[error] Picture size 9000x9000 exceeds specified max pixel count 1',
      '[error] width is not set',
    ];
    expect(messagesOf('[error] before', large, after).failure).toMatch(/^its pictures are too large/);
  });
});

describe('the faults of a file', () => {
  it.each([
    ['[error] first', "ffmpeg reports 'first'"],
    ['[h264 @ 0x1] [warning] Corrupt decoded frame in stream 0', "ffmpeg reports 'Corrupt decoded frame in stream 0'"],
    ['[mov @ 0x1] [warning] stream 0, timescale not set: partial file', /partial file/],
    ['[warning] truncating packet', /truncating/],
    [
      '[error] Error while decoding stream #0:0: Invalid data found when processing input',
      "ffmpeg reports 'a part of it cannot be decoded'",
    ],
    ['[warning] deprecated pixel format used', undefined],
    ['[info] corrupt', undefined],
    ['  title : [error] corrupt', undefined],
    ['[error] Conversion failed!', undefined],
    ['[error] ', undefined],
  ])('%s', (line, expected) => {
    const { damage } = messagesOf(line);
    if (expected instanceof RegExp) expect(damage).toMatch(expected);
    else expect(damage).toBe(expected);
  });

  it('are counted by kind, the most frequent two shown', () => {
    const many = messagesOf(
      '[error] a',
      '[error] b 1',
      '[error] b 22',
      '[error] c 0x1f',
      '[error] d',
      '[error] c 7',
      '[error] c -3',
    );
    expect(many.damage).toBe("ffmpeg reports 7 faults: 3 times 'c N', 2 times 'b N' and 2 other kinds");
    expect(messagesOf('[error] a', '[error] b').damage).toBe("ffmpeg reports 2 faults: once 'a', once 'b'");
    const words = messagesOf('[error] feed', '[error] feed', '[error] face', '[error] face', '[error] 2nd');
    expect(words.damage).toBe("ffmpeg reports 5 faults: 2 times 'feed', 2 times 'face' and 1 other kind");
    expect(messagesOf('[error] 2nd', '[error] 3rd').damage).toBe("ffmpeg reports 2 faults: once '2nd', once '3rd'");
    expect(messagesOf('[error] a 1', '[error] a 2').damage).toBe("ffmpeg reports 2 faults: 2 times 'a N'");
  });

  it('are counted as often as ffmpeg says that one is repeated', () => {
    const repeated = '    Last message repeated 3 times';
    expect(messagesOf('[error] a', repeated, '[error] b').damage).toBe(
      "ffmpeg reports 5 faults: 4 times 'a', once 'b'",
    );
    expect(messagesOf('[error] a', repeated, repeated).damage).toBe("ffmpeg reports 7 faults: 7 times 'a'");
    for (const other of ['[info] b', '[h264 @ 0x1] [verbose] b', '[warning] b', '[error] Conversion failed!']) {
      expect(messagesOf('[error] a', other, repeated).damage, other).toBe("ffmpeg reports 'a'");
    }
    expect(messagesOf(repeated).damage).toBeUndefined();
  });

  it('are of 50 kinds at most, and others', () => {
    const letters = Array.from({ length: 60 }, (_, i) => 'x'.repeat(1 + i));
    const messages = messagesOf(...letters.map(text => `[error] ${text}`), '[error] x');
    expect(messages.damage).toBe("ffmpeg reports 61 faults: 10 times 'other faults', 2 times 'x' and 49 other kinds");
  });
});

it('the line about the stream that is written comes after those about the input', async () => {
  const [read, written] = ['  Stream #0:0: Video: h264, 50 fps', '  Stream #0:0: Video: wrapped_avframe, 25 fps'];
  const messages = messagesOf(read, "Output #0, yuv4mpegpipe, to 'pipe:1':", written, read);
  expect(await messages.outputStream).toBe(written);
  expect((await messages.description)[0]).toBe(read);
  const ended = messagesOf(read);
  ended.end();
  expect(await ended.outputStream).toBeUndefined();
  expect(await ended.description).toEqual([read]);
});

describe('another ffmpeg may do better', () => {
  it.each([
    ['[error] no decoder found for: none', true],
    ['[error] Decoder (codec av1) not found for input stream #0:0', true],
    ['[error] Decoder (codec none) not found for input stream #0:0', false], // no ffmpeg knows it
    ["[error] Unknown decoder 'libvpx-vp9'", true],
    ["[AVFilterGraph @ 0x1] [error] No such filter: 'zscale'", true],
    ["[fatal] Unknown input format: 'obu'", true],
    ["[NULL @ 0x1] [error] Requested output format 'x' is not a suitable output format", true],
    ["[error] Unrecognized option 'max_pixels'.", true],
    ['[error] moov atom not found', false],
    ['[error] Invalid argument', false],
  ])('%s: %s', (line, expected) => {
    expect(messagesOf(line).tellsOfLack).toBe(expected);
    expect(messagesOf(line, '[error] Option what follows').tellsOfLack).toBe(expected);
    expect(messagesOf('[error] before', line).tellsOfLack).toBe(expected);
  });
});
