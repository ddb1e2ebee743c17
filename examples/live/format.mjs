// The shape of the live video, which all sources have.

/** Picture size in pels. */
export const SIZE = { width: 320, height: 240 };
export const FRAME_RATE = { numerator: 25, denominator: 1 };
export const FRAME_MS = (1000 * FRAME_RATE.denominator) / FRAME_RATE.numerator;
export const BIT_RATE = 1_000_000;

/** How every source is encoded: key frames come when a viewer asks for one.
 * @type {import('mpegpu').EncoderOptions} */
export const ENCODER_OPTIONS = {
  ...SIZE,
  ...{ frameRate: FRAME_RATE, latency: 'low', bitrate: BIT_RATE, gop: 250, preset: 'fast' },
};

/** What the server sends to the page with the camera when a viewer needs a key frame. */
export const KEY_FRAME_REQUEST = 'key frame';
