// What an encode holds constant: the quantizer_scale, the quality or the bit rate.
import type { RateSettings } from '../rate-control/rate-settings.js';

/** The same quantizer_scale in all I and P pictures. */
export interface ConstantScaleMode {
  readonly kind: 'constant-scale';
  /** Whole, 1 (finest) .. 31. */
  readonly quantizerScale: number;
}

/** The same quality in all pictures; the scale of each macroblock follows it. */
export interface ConstantQualityMode {
  readonly kind: 'constant-quality';
  /** 0 .. 100 (finest). */
  readonly quality: number;
}

/** A bit rate; the rate controller chooses the scale of each picture. */
export interface BitRateMode extends RateSettings {
  readonly kind: 'bit-rate';
}

/** The modes without rate control. */
export type ConstantMode = ConstantScaleMode | ConstantQualityMode;

export type RateMode = ConstantMode | BitRateMode;
