// Collects the pictures that the report's viewer shows, within a bounded size.

import type { encodeWebp } from '../../../media/images/webp-encoder.js';
import type { Frame } from '../../../picture/frame.js';
import { macroblockGrid } from '../../../picture/picture.js';
import { predictionResidual } from '../../../viewer/prediction-residual.js';
import { type ComparedRates, middleSetting, settingText } from '../../comparison/compared-rates.js';
import type { MeasuredPicture } from '../../comparison/measured-picture.js';
import { canvasOfFrame } from '../../overlay/frame-canvas.js';
import type { ReportFile } from '../report-origin.js';
import { base64, packMacroblocks, packSearched } from './macroblock-data.js';
import type { ViewerData, ViewerPicture } from './viewer-data.js';

/** What is known before the first picture. */
interface ReportPicturesJob {
  /** Display size of the clip in pels, and its length. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly estimators: readonly string[];
  readonly settings: ComparedRates;
  /** Encodes an image as WebP. It is a parameter because sharp needs Node, and this folder does not. */
  readonly encodeImage: typeof encodeWebp;
}

/** Limits in characters, so that the page stays below 15 MB: of the viewer's data, and of the files beside it. */
const MAX_CHARACTERS = 13_000_000;
const FILE_CHARACTERS = 1_000_000;
/** The same in bytes: base64 takes 4 characters for 3 bytes. */
const MAX_BYTES = (MAX_CHARACTERS / 4) * 3;
/** Nobody steps through more pictures than this. */
const MAX_PICTURES = 300;
/** Share of the bytes for what is known of macroblocks. */
const MACROBLOCK_SHARE = 0.4;
/** Assumed bytes of a deflated macroblock with both kinds of vectors; in practice there are fewer. */
const MACROBLOCK_BYTES = 6;
/** A larger image is scaled down. */
const MAX_IMAGE_PELS = 640 * 480;
const MAX_IMAGE_BYTES = 40_000;
/** With fewer bytes a pel, an image looks worse than a smaller one of the same length. */
const MIN_BYTES_PER_PEL = 0.1;

/** Takes the pictures of a comparison one by one, and keeps what the viewer shows. */
export class ReportPictures {
  /** The setting whose encodes are shown: the middle one. */
  readonly value: number;
  readonly #job: ReportPicturesJob;
  /** Number of pictures that are shown, from the first. */
  readonly #shown: number;
  readonly #image: { readonly width: number; readonly height: number; readonly maxBytes: number };
  readonly #sources: string[] = [];
  readonly #encodes = new Map<string, EncodePictures>();

  constructor(job: ReportPicturesJob) {
    const { width, height, frames, estimators, settings } = job;
    this.#job = job;
    this.value = middleSetting(settings);
    const { mbWidth, mbHeight } = macroblockGrid(width, height);
    const pictureBytes = mbWidth * mbHeight * estimators.length * MACROBLOCK_BYTES;
    this.#shown = Math.max(
      1,
      Math.min(frames, MAX_PICTURES, Math.floor((MACROBLOCK_SHARE * MAX_BYTES) / pictureBytes)),
    );
    const images = this.#shown * (1 + estimators.length);
    const imageBytes = Math.min(MAX_IMAGE_BYTES, (MAX_BYTES - this.#shown * pictureBytes) / images);
    const pels = Math.min(MAX_IMAGE_PELS, imageBytes / MIN_BYTES_PER_PEL);
    const scale = Math.min(1, Math.sqrt(pels / (width * height)));
    this.#image = {
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      maxBytes: imageBytes,
    };
  }

  /** Takes the next picture of an estimator in display order. Ignores it if it will not be shown. */
  async add(picture: MeasuredPicture): Promise<void> {
    if (picture.value !== this.value || picture.figures.frame >= this.#shown) return;
    await this.#addSource(picture);
    let encode = this.#encodes.get(picture.estimator);
    if (!encode) {
      encode = new EncodePictures(ready => this.#viewerPicture(ready));
      this.#encodes.set(picture.estimator, encode);
    }
    await encode.add(picture);
  }

  /**
   * The viewer's data, for the estimators whose pictures are complete. It has fewer pictures where the page's files are
   * long.
   */
  async finish(files: readonly ReportFile[] = []): Promise<ViewerData> {
    const { width, height, frames, estimators, settings } = this.#job;
    const encodes: { label: string; pictures: ViewerPicture[] }[] = [];
    for (const label of estimators) {
      const pictures = await this.#encodes.get(label)?.finish();
      if (pictures?.length === this.#shown) encodes.push({ label, pictures });
    }
    const fileCharacters = files.reduce((sum, { packed }) => sum + packed.length, 0);
    const limit = MAX_CHARACTERS - Math.max(0, fileCharacters - FILE_CHARACTERS);
    const fitting = this.#fittingPictures(encodes, limit);
    const { mbWidth, mbHeight } = macroblockGrid(width, height);
    return {
      width,
      height,
      mbWidth,
      mbHeight,
      value: this.value,
      setting: settingText(settings.option, this.value),
      clipFrames: frames,
      sources: encodes.length === 0 ? [] : this.#sources.slice(0, fitting),
      estimators: encodes.map(({ label, pictures }) => ({ label, pictures: pictures.slice(0, fitting) })),
    };
  }

  /** Number of pictures within the limit: all, unless images are longer than `maxBytes`, or the limit is lower. */
  #fittingPictures(encodes: readonly { readonly pictures: readonly ViewerPicture[] }[], limit: number): number {
    let characters = 0;
    for (let i = 0; i < this.#shown; i++) {
      characters += this.#sources[i]?.length ?? 0;
      for (const { pictures } of encodes) {
        const { residual, macroblocks, searched } = pictures[i]!;
        characters += residual.length + macroblocks.length + searched.join('').length;
      }
      if (characters > limit) return i;
    }
    return this.#shown;
  }

  async #addSource({ figures: { frame }, source }: MeasuredPicture): Promise<void> {
    if (this.#sources[frame] !== undefined) return;
    const { width, height, pels } = canvasOfFrame(source);
    this.#sources[frame] = base64(await this.#job.encodeImage({ width, height, channels: 3, pels }, this.#image));
  }

  async #viewerPicture({ picture, before, after }: ReadyPicture): Promise<ViewerPicture> {
    const { figures, source, macroblocks, searched } = picture;
    const { width, height } = source;
    const pels = predictionResidual({
      source,
      macroblocks,
      before: before?.frame,
      after: after?.frame,
    });
    const { type, bits, vectorBits, psnrY, ssimY } = figures;
    const anchors = { I: [], P: [before], B: [before, after] }[type];
    const fields = anchors.map(anchor => anchor && searched?.get(anchor.number));
    return {
      type,
      bits,
      vectorBits,
      psnrY: Number.isFinite(psnrY) ? psnrY : null,
      ssimY,
      ...figures.macroblocks,
      residual: base64(await this.#job.encodeImage({ width, height, channels: 1, pels }, this.#image)),
      macroblocks: await packMacroblocks(macroblocks),
      searched: await Promise.all(fields.map(packSearched)),
    };
  }
}

/** A decoded anchor with its display number. */
interface Anchor {
  readonly number: number;
  readonly frame: Frame;
}

/** A picture and its anchors. */
interface ReadyPicture {
  readonly picture: MeasuredPicture;
  readonly before: Anchor | undefined;
  readonly after: Anchor | undefined;
}

/** The pictures of one encode. B pictures wait for the anchor after them. */
class EncodePictures {
  readonly #pictures: ViewerPicture[] = [];
  #waiting: MeasuredPicture[] = [];
  #anchor: Anchor | undefined;

  constructor(readonly show: (ready: ReadyPicture) => Promise<ViewerPicture>) {}

  async add(picture: MeasuredPicture): Promise<void> {
    this.#waiting.push(picture);
    const { figures, reconstruction } = picture;
    if (figures.type !== 'B') await this.#showWaiting({ number: figures.frame, frame: reconstruction });
  }

  async finish(): Promise<ViewerPicture[]> {
    await this.#showWaiting(undefined);
    return this.#pictures;
  }

  async #showWaiting(after: Anchor | undefined): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const picture of waiting) {
      const isB = picture.figures.type === 'B';
      this.#pictures.push(await this.show({ picture, before: this.#anchor, after: isB ? after : undefined }));
    }
    this.#anchor = after;
  }
}
