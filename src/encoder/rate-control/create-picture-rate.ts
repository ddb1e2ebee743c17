// Makes the rate control of an encode.
import { LiveRate } from '../live/live-rate.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { PictureRate } from './picture-rate.js';
import { RateController } from './rate-controller.js';
import type { RateSettings } from './rate-settings.js';

/** The rate control of an encode with a bit rate; `warn` is told if the stream misses it. */
export function createPictureRate(
  rate: RateSettings,
  settings: EncoderSettings,
  warn: (message: string) => void,
): PictureRate {
  return settings.isLive ? new LiveRate(rate, settings) : new RateController(rate, settings, warn);
}
