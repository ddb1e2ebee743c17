// Makes the rate control of an encode.
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { PictureRate } from './picture-rate.js';
import { RateController } from './rate-controller.js';
import type { RateSettings } from './rate-settings.js';

/** The rate control of an encode with a bit rate; `warn` is told if the stream misses it. */
export async function createPictureRate(
  rate: RateSettings,
  settings: EncoderSettings,
  warn: (message: string) => void,
): Promise<PictureRate> {
  if (!settings.isLive) return new RateController(rate, settings, warn);
  // Pages need not load what they do not use.
  const { LiveRate } = await import('../live/live-rate.js');
  return new LiveRate(rate, settings);
}
