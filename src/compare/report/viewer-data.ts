/** What the page's viewer is given, as JSON. Pictures are in display order. */
export interface ViewerData {
  /** Display size in pels, and the macroblocks that cover it. */
  readonly width: number;
  readonly height: number;
  readonly mbWidth: number;
  readonly mbHeight: number;
  /** The quantizer_scale that was encoded at. */
  readonly q: number;
  /** Pictures of the clip; the viewer may have fewer. */
  readonly clipFrames: number;
  /** CSS colours of vectors by direction: equal parts of a turn, from right over down. */
  readonly directionColours: readonly string[];
  /** WebP images in base64 of the source pictures. */
  readonly sources: readonly string[];
  readonly estimators: readonly ViewerEstimator[];
}

/** One estimator's encode, as far as it has been looked at. */
export interface ViewerEstimator {
  readonly label: string;
  readonly pictures: readonly ViewerPicture[];
}

/** One picture of an encode. */
export interface ViewerPicture {
  readonly type: 'I' | 'P' | 'B';
  readonly bits: number;
  readonly vectorBits: number;
  /** In dB; null of a perfect picture. */
  readonly psnrY: number | null;
  readonly intra: number;
  readonly predicted: number;
  readonly skipped: number;
  /** WebP image in base64: what motion compensation leaves of luma, doubled, about mid-gray. */
  readonly residual: string;
  /** See macroblock-data.ts. */
  readonly macroblocks: string;
}
