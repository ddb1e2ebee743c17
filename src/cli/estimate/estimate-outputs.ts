// The files that `estimate` writes.
import { MAX_HEIGHT } from '../../bitstream/limits.js';
import { FRAME_RATES, type FrameRate, legalFrameRate } from '../../bitstream/tables/frame-rate.js';
import { flowOfField } from '../../compare/motion-fields/flow-error.js';
import type { SearchedPair } from '../../compare/motion-fields/pair-search.js';
import type { PairStudy } from '../../compare/motion-fields/pair-study.js';
import { canvasOfFrame } from '../../compare/overlay/frame-canvas.js';
import { drawResidual } from '../../compare/overlay/residual.js';
import { comfortableScale, drawVectors, overlayHeight } from '../../compare/overlay/vectors.js';
import { JsonLinesFile } from '../../encode-files/json-lines-file.js';
import { OutputSet } from '../../encode-files/output-set.js';
import type { FrameSource } from '../../media/frames/frame-source.js';
import { encodePng } from '../../media/images/png-encoder.js';
import { encodeFlo } from '../../media/maps/flo-format.js';
import { encodeKittiFlow } from '../../media/maps/kitti-flow.js';
import { OutputFile } from '../../media/output/output-file.js';
import type { OutputOptions } from '../../media/output/output-place.js';
import { printWarning } from '../failure.js';
import { OutputFolder } from '../output-folder.js';
import { PAIRS_CSV_HEADER, pairCsvLine } from './estimate-csv.js';
import { type FieldLine, fieldLine } from './field-line.js';
import { OverlayVideo } from './overlay-video.js';
import type { PairEntry } from './pair-entry.js';
import { pairPictures } from './pair-pictures.js';

/** The files and folders that the user asked for. */
export interface EstimateOutputPaths {
  readonly vectors?: string;
  readonly csv?: string;
  readonly flo?: string;
  readonly kitti?: string;
  readonly pictures?: string;
  readonly overlay?: string;
  readonly residuals?: string;
  readonly predicted?: string;
  readonly overlayVideo?: string;
  readonly overwrite?: boolean;
}

/** A searched pair, what was measured, and the caption below its overlay. */
export interface StudiedPair extends SearchedPair {
  readonly study: PairStudy;
  readonly entry: PairEntry;
  readonly caption: readonly string[];
}

/** The outputs that are folders. */
const FOLDERS = ['flo', 'kitti', 'pictures', 'overlay', 'residuals', 'predicted'] as const;
type FolderKind = (typeof FOLDERS)[number];

/** Frames per second of the overlay video if the input has no rate, or one that MPEG-1 lacks. */
const DEFAULT_FRAME_RATE = FRAME_RATES[2]!;

/** The files of one run of `estimate`. Folders get their files pair by pair; other files appear at the end. */
export class EstimateOutputs {
  readonly #files = new OutputSet();
  readonly #folders: Partial<Record<FolderKind, OutputFolder>> = {};
  #vectors: JsonLinesFile<FieldLine> | undefined;
  #csv: OutputFile | undefined;
  #video: OverlayVideo | undefined;

  private constructor(
    readonly scale: number,
    readonly withCaption: boolean,
    readonly gray: boolean,
  ) {}

  /**
   * Opens everything that `paths` names. Throws the errors of `OutputFile.open`, and then leaves nothing behind. An
   * abort of the signal removes what is not complete.
   */
  static async open(
    paths: EstimateOutputPaths,
    source: FrameSource,
    gray: boolean,
    { signal, onWarning }: Required<Pick<OutputOptions, 'signal' | 'onWarning'>>,
  ): Promise<EstimateOutputs> {
    const { width, height } = source;
    const scale = comfortableScale(width, height);
    const withCaption = overlayHeight(height, scale, true) <= MAX_HEIGHT;
    const outputs = new EstimateOutputs(scale, withCaption, gray);
    try {
      const { overwrite = false } = paths;
      await outputs.#open(paths, source, { overwrite, signal, onLeftover: printWarning, onWarning });
      return outputs;
    } catch (error) {
      await outputs.discard();
      throw error;
    }
  }

  async write(pair: StudiedPair): Promise<void> {
    const { current, field, study } = pair;
    const { flo, kitti, pictures, overlay, residuals, predicted } = this.#folders;
    const name = `pair${String(pair.pair).padStart(4, '0')}`;
    await this.#vectors?.write(fieldLine(pair));
    await this.#csv?.write(utf8(pairCsvLine(pair.entry, this.gray)));
    const flow = (flo || kitti) && flowOfField(field, current.width, current.height);
    if (flow) {
      await flo?.write(`${name}.flo`, encodeFlo(flow));
      await kitti?.write(`${name}-flow.png`, await encodeKittiFlow(flow));
    }
    if (pictures) {
      for (const [what, picture] of Object.entries(pairPictures(pair, this.scale))) {
        await pictures.write(`${name}-${what}.png`, await encodePng(picture));
      }
    }
    if (overlay || this.#video) {
      const caption = this.withCaption ? { caption: pair.caption } : {};
      const drawing = drawVectors(current, field, { scale: this.scale, ...caption });
      await overlay?.write(`${name}-vectors.png`, await encodePng(drawing));
      await this.#video?.write(drawing);
    }
    const paint = { gray: this.gray };
    if (residuals) {
      const before = drawResidual(current, pair.reference, paint);
      const after = drawResidual(current, study.predicted, paint);
      await residuals.write(`${name}-residual-before.png`, await encodePng(before));
      await residuals.write(`${name}-residual-after.png`, await encodePng(after));
    }
    await predicted?.write(`${name}-predicted.png`, await encodePng(canvasOfFrame(study.predicted, paint)));
  }

  finish(): Promise<void> {
    return this.#files.finish();
  }

  /** The names under which the files were kept. Folders keep their names. */
  keepPartial(): Promise<string[]> {
    return this.#files.keepPartial();
  }

  discard(): Promise<void> {
    return this.#files.discard();
  }

  async #open(
    paths: EstimateOutputPaths,
    { width, height, frameRate }: FrameSource,
    options: OutputOptions,
  ): Promise<void> {
    if (paths.vectors !== undefined) this.#vectors = this.#files.add(await JsonLinesFile.open(paths.vectors, options));
    if (paths.overlayVideo !== undefined) {
      const format = {
        width: width * this.scale,
        height: overlayHeight(height, this.scale, this.withCaption),
        frameRate: videoRate(frameRate),
      };
      this.#video = this.#files.add(await OverlayVideo.open(paths.overlayVideo, format, options));
    }
    if (paths.csv !== undefined) {
      this.#csv = this.#files.add(await OutputFile.open(paths.csv, options));
      await this.#csv.write(utf8(PAIRS_CSV_HEADER));
    }
    for (const kind of FOLDERS) {
      const path = paths[kind];
      if (path !== undefined) this.#folders[kind] = await OutputFolder.open(path, options);
    }
  }
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function videoRate(rate: FrameRate | undefined): FrameRate {
  return (rate && legalFrameRate(rate)) ?? DEFAULT_FRAME_RATE;
}
