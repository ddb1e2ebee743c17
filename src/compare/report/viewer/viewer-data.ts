// The data of the report's viewer.

/** The JSON in the page from which the viewer draws. Pictures are in display order. */
export interface ViewerData {
  /** Display size in pels, and its size in macroblocks. */
  readonly width: number;
  readonly height: number;
  readonly mbWidth: number;
  readonly mbHeight: number;
  /** The setting of the encodes, and its name: `q 4`. */
  readonly value: number;
  readonly setting: string;
  /** Number of pictures of the clip; the viewer may have fewer. */
  readonly clipFrames: number;
  /** The source pictures as WebP in base64. */
  readonly sources: readonly string[];
  readonly estimators: readonly ViewerEstimator[];
}

/** The encode of one estimator. */
interface ViewerEstimator {
  readonly label: string;
  readonly pictures: readonly ViewerPicture[];
}

/** One picture of an encode. */
export interface ViewerPicture {
  readonly type: 'I' | 'P' | 'B';
  readonly bits: number;
  readonly vectorBits: number;
  /** In dB; null for a perfect picture. */
  readonly psnrY: number | null;
  readonly ssimY: number;
  /** Macroblocks by how they were coded. */
  readonly intra: number;
  readonly predicted: number;
  readonly skipped: number;
  /** The picture of `predictionResidual` as WebP in base64. */
  readonly residual: string;
  /** What is known of its macroblocks as `packMacroblocks` packs it. */
  readonly macroblocks: string;
  /** The estimator's best vectors for each of the picture's anchors as `packSearched` packs them; '' for none. */
  readonly searched: readonly string[];
}
