// The groups of pictures of a live encode: each picture is planned when its frame comes.
import type { ColumnRange, PlannedPicture } from '../gop/gop-plan.js';
import type { SparseReserve } from '../rate-control/buffer/sparse-reserve.js';

/**
 * Plans pictures one by one, in the order in which frames come. A group ends after `gop` frames, or before the frame
 * after which a key frame has been requested; but not before the decoder's buffer is sure to hold another I picture. A
 * frame that is left out has a repetition in its place:
 *
 *     frames      0  1  2  -  3  4        - is left out
 *     pictures    I  P  P  r  P  P        r repeats the picture before it
 *     temporal    0  1  2  3  4  5        temporal_reference
 *
 * With refresh by columns, a group begins with a P picture unless a key frame has been requested. Each of its pictures
 * has some columns of intra macroblocks, from left to right:
 *
 *     group of 4, 6 columns     #.....  .##...  ...#..  ....##
 */
export class LiveGroups {
  readonly #gop: number;
  readonly #refreshedColumns: number | undefined;
  readonly #reserve: SparseReserve | undefined;
  /** Plans of pictures that are not coded yet. */
  readonly #planned: PlannedPicture[] = [];
  #frames = 0;
  #repeats = 0;
  /** Frames of the group so far, and where in display order the group starts. */
  #framesInGroup = 0;
  #groupStart = 0;
  #wantsKeyFrame = true;

  /**
   * `gop`: frames of a group, if no key frame is requested before its end. `refreshedColumns`: columns of macroblocks
   * of a picture, if they are refreshed instead of whole pictures. `reserve`: that of the decoder's buffer, if there
   * is one.
   */
  constructor(gop: number, refreshedColumns?: number, reserve?: SparseReserve) {
    this.#gop = gop;
    this.#reserve = reserve;
    this.#refreshedColumns = refreshedColumns;
  }

  /** The next frame begins a group. */
  requestKeyFrame(): void {
    this.#wantsKeyFrame = true;
  }

  /** A frame has come: its picture is planned. */
  addFrame(): void {
    const isGroupOver = this.#framesInGroup >= this.#gop;
    if (isGroupOver && this.#refreshedColumns === undefined) this.#wantsKeyFrame = true;
    const isIntra = this.#wantsKeyFrame && (this.#reserve?.holdsIntra ?? true);
    const startsGroup = isIntra || (isGroupOver && this.#refreshedColumns !== undefined);
    if (isIntra) this.#wantsKeyFrame = false;
    this.#reserve?.take(isIntra ? 'I' : 'P');
    if (startsGroup) {
      this.#framesInGroup = 0;
      this.#groupStart = this.#frames + this.#repeats;
    }
    const number = this.#frames++;
    this.#planned.push({
      ...this.#place(number),
      type: isIntra ? 'I' : 'P',
      startsGroup,
      closedGroup: isIntra || !startsGroup,
      forward: isIntra ? undefined : number - 1,
      refreshColumns: isIntra ? undefined : this.#columns(),
    });
    this.#framesInGroup++;
  }

  /** The plan of the first frame whose plan has not been taken. */
  takePlan(): PlannedPicture {
    return this.#planned.shift()!;
  }

  /** So many frames are left out: gives the plans of the pictures in their places, each when it is asked for. */
  leaveOut(frames: number): Iterable<PlannedPicture> {
    const place = this.#place(this.#frames);
    this.#repeats += frames;
    for (let n = 0; n < frames; n++) this.#reserve?.take('P');
    return repetitions({ ...place, type: 'P', startsGroup: false, forward: this.#frames - 1 }, frames);
  }

  /** The columns that are refreshed in the next frame of the group. */
  #columns(): ColumnRange | undefined {
    const columns = this.#refreshedColumns;
    if (columns === undefined) return undefined;
    const columnsBefore = (frames: number) => Math.floor((frames * columns) / this.#gop);
    return { first: columnsBefore(this.#framesInGroup), end: columnsBefore(this.#framesInGroup + 1) };
  }

  /** Where a picture is, in the stream and in its group. */
  #place(number: number): Omit<PlannedPicture, 'type' | 'startsGroup' | 'forward'> {
    return {
      displayNumber: number,
      codedNumber: number,
      closedGroup: true,
      groupStart: this.#groupStart,
      temporalReference: number + this.#repeats - this.#groupStart,
      anchorNumber: number,
      backward: undefined,
      repeatsBefore: this.#repeats,
    };
  }
}

/** The plans of so many repetitions in a row, of which `first` is the first. */
function* repetitions(first: PlannedPicture, count: number): Generator<PlannedPicture> {
  const { temporalReference, repeatsBefore = 0 } = first;
  for (let n = 0; n < count; n++) {
    yield { ...first, temporalReference: temporalReference + n, repeatsBefore: repeatsBefore + n };
  }
}
