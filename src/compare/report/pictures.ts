import { macroblockGrid } from '../../picture/picture.js';
import type { MeasuredPicture } from '../comparison/encode.js';
import { directionColour } from '../overlay/direction-colour.js';
import { canvasOfFrame } from '../overlay/frame-canvas.js';
import { base64, packMacroblocks } from './macroblock-data.js';
import { predictionResidual } from './prediction-residual.js';
import type { ViewerData, ViewerPicture } from './viewer-data.js';

/** A function that makes a small image file: RGB or gray pels in, at most about `maxBytes` bytes of WebP out. */
export type EncodeImage = (
  image: { readonly width: number; readonly height: number; readonly channels: 1 | 3; readonly pels: Uint8Array },
  target: { readonly width: number; readonly height: number; readonly maxBytes: number },
) => Promise<Uint8Array>;

/** What pictures are collected for. */
export interface ReportPicturesJob {
  /** Display size of the clip in pels, and its length. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly estimators: readonly string[];
  readonly quantizers: readonly number[];
  readonly encodeImage: EncodeImage;
}

/** All that the viewer's data may take, in characters of the page: base64 is 4 of them for 3 bytes. */
const BUDGET_CHARACTERS = 13_000_000;
const BUDGET_BYTES = (BUDGET_CHARACTERS / 4) * 3;
/** More pictures than that nobody steps through. */
const MAX_PICTURES = 300;
/** What the macroblocks may take of the budget, and a deflated macroblock at worst by experience. */
const MACROBLOCK_SHARE = 0.4;
const MACROBLOCK_BYTES = 2;
/** A larger image is scaled down; below this many bytes a pel it would look worse than a smaller one. */
const MAX_IMAGE_PELS = 640 * 480;
const MAX_IMAGE_BYTES = 40_000;
const BYTES_PER_PEL = 0.1;
/** Directions that have a colour of their own. */
const DIRECTIONS = 64;

/** Takes the pictures of a comparison as they are measured, and keeps what the report's viewer shows, within a bounded size. */
export class ReportPictures {
  /** The quantizer whose encodes are shown: the middle one, the finer of two. */
  readonly q: number;
  readonly #job: ReportPicturesJob;
  /** Pictures that are shown: the first so many. */
  readonly #shown: number;
  readonly #image: { readonly width: number; readonly height: number; readonly maxBytes: number };
  readonly #sources: string[] = [];
  readonly #encodes = new Map<string, EncodePictures>();

  constructor(job: ReportPicturesJob) {
    const { width, height, frames, estimators, quantizers } = job;
    this.#job = job;
    this.q = [...quantizers].sort((a, b) => a - b)[(quantizers.length - 1) >> 1]!;
    const { mbWidth, mbHeight } = macroblockGrid(width, height);
    const pictureBytes = mbWidth * mbHeight * estimators.length * MACROBLOCK_BYTES;
    this.#shown = Math.max(
      1,
      Math.min(frames, MAX_PICTURES, Math.floor((MACROBLOCK_SHARE * BUDGET_BYTES) / pictureBytes)),
    );
    const images = this.#shown * (1 + estimators.length);
    const imageBytes = Math.min(MAX_IMAGE_BYTES, (BUDGET_BYTES - this.#shown * pictureBytes) / images);
    const pels = Math.min(MAX_IMAGE_PELS, imageBytes / BYTES_PER_PEL);
    const scale = Math.min(1, Math.sqrt(pels / (width * height)));
    this.#image = {
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      maxBytes: imageBytes,
    };
  }

  /** Takes a picture, if it is one to be shown; its planes are not kept longer than needed. */
  async add(picture: MeasuredPicture): Promise<void> {
    if (picture.q !== this.q || picture.figures.frame >= this.#shown) return;
    await this.#addSource(picture);
    let encode = this.#encodes.get(picture.estimator);
    if (!encode) {
      encode = new EncodePictures(ready => this.#viewerPicture(ready));
      this.#encodes.set(picture.estimator, encode);
    }
    await encode.add(picture);
  }

  /** The viewer's data: of the estimators whose pictures are all there. */
  async finish(): Promise<ViewerData> {
    const { width, height, frames, estimators } = this.#job;
    const encodes: { label: string; pictures: ViewerPicture[] }[] = [];
    for (const label of estimators) {
      const pictures = await this.#encodes.get(label)?.finish();
      if (pictures?.length === this.#shown) encodes.push({ label, pictures });
    }
    const fitting = this.#fitting(encodes);
    const { mbWidth, mbHeight } = macroblockGrid(width, height);
    return {
      width,
      height,
      mbWidth,
      mbHeight,
      q: this.q,
      clipFrames: frames,
      directionColours: Array.from({ length: DIRECTIONS }, (_, i) => {
        const angle = (2 * Math.PI * i) / DIRECTIONS;
        return `rgb(${directionColour(Math.cos(angle), Math.sin(angle)).join(' ')})`;
      }),
      sources: encodes.length === 0 ? [] : this.#sources.slice(0, fitting),
      estimators: encodes.map(({ label, pictures }) => ({ label, pictures: pictures.slice(0, fitting) })),
    };
  }

  /** How many of the first pictures fit into the budget: all, unless the images came out larger than they were asked to be. */
  #fitting(encodes: readonly { readonly pictures: readonly ViewerPicture[] }[]): number {
    let characters = 0;
    for (let i = 0; i < this.#shown; i++) {
      characters += this.#sources[i]?.length ?? 0;
      for (const { pictures } of encodes) characters += pictures[i]!.residual.length + pictures[i]!.macroblocks.length;
      if (characters > BUDGET_CHARACTERS) return i;
    }
    return this.#shown;
  }

  async #addSource({ figures: { frame }, source }: MeasuredPicture): Promise<void> {
    if (this.#sources[frame] !== undefined) return;
    const { width, height, pels } = canvasOfFrame(source);
    this.#sources[frame] = base64(await this.#job.encodeImage({ width, height, channels: 3, pels }, this.#image));
  }

  async #viewerPicture({ picture, before, after }: ReadyPicture): Promise<ViewerPicture> {
    const { figures, source, vectors, macroblockTypes } = picture;
    const { width, height } = source;
    const pels = predictionResidual({ source, vectors, macroblockTypes, before, after });
    const { type, bits, vectorBits, psnrY, macroblocks } = figures;
    return {
      type,
      bits,
      vectorBits,
      psnrY: Number.isFinite(psnrY) ? psnrY : null,
      ...macroblocks,
      residual: base64(await this.#job.encodeImage({ width, height, channels: 1, pels }, this.#image)),
      macroblocks: await packMacroblocks(vectors, macroblockTypes),
    };
  }
}

/** A picture whose anchors have both come. */
interface ReadyPicture {
  readonly picture: MeasuredPicture;
  readonly before: MeasuredPicture['reconstruction'] | undefined;
  readonly after: MeasuredPicture['reconstruction'] | undefined;
}

/** The pictures of one encode, in display order; B pictures wait for the anchor after them. */
class EncodePictures {
  readonly #pictures: ViewerPicture[] = [];
  #waiting: MeasuredPicture[] = [];
  #anchor: MeasuredPicture['reconstruction'] | undefined;

  constructor(readonly show: (ready: ReadyPicture) => Promise<ViewerPicture>) {}

  async add(picture: MeasuredPicture): Promise<void> {
    this.#waiting.push(picture);
    if (picture.figures.type !== 'B') await this.#showWaiting(picture.reconstruction);
  }

  async finish(): Promise<ViewerPicture[]> {
    await this.#showWaiting(undefined);
    return this.#pictures;
  }

  async #showWaiting(after: MeasuredPicture['reconstruction'] | undefined): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const picture of waiting) {
      const isB = picture.figures.type === 'B';
      this.#pictures.push(await this.show({ picture, before: this.#anchor, after: isB ? after : undefined }));
    }
    this.#anchor = after;
  }
}
