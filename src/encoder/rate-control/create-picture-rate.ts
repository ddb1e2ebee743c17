// Makes the rate control of an encode.
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { PictureRate } from './picture-rate.js';
import type { RateSettings } from './rate-settings.js';

/** The rate control of an encode with a bit rate; `warn` is told if the stream misses it. */
export async function createPictureRate(
  rate: RateSettings,
  settings: EncoderSettings,
  warn: (message: string) => void,
): Promise<PictureRate> {
  // Pages need not load what they do not use.
  if (!settings.isLive) {
    const { RateController } = await import('./rate-controller.js');
    return new RateController(rate, settings, warn);
  }
  const { LiveRate } = await import('../live/live-rate.js');
  return new LiveRate(rate, settings);
}
