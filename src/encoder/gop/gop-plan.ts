// The plan of a group of pictures: picture types by a pattern, and the coded order.
import type { PictureType } from '../../bitstream/picture-type.js';

/** Stands for the display number of an anchor before the first one. */
export const NO_ANCHOR = -1;

/** The plan of one picture. */
export interface PlannedPicture {
  readonly type: PictureType;
  /** Position in display order, from 0 over the whole encode. */
  readonly displayNumber: number;
  /** Position in coded order, from 0 over the whole encode. */
  readonly codedNumber: number;
  /** Whether a group of pictures starts with this picture in coded order. */
  readonly startsGroup: boolean;
  /** False: the B pictures that follow are predicted from the anchor before this group, too; closed_gop, §2.4.3.3. */
  readonly closedGroup: boolean;
  /** The smallest display number of the group. */
  readonly groupStart: number;
  /** Position in display order within the group; temporal_reference, §2.4.3.4. */
  readonly temporalReference: number;
  /** Of an I or P picture: how many I and P pictures come before it in coded order. */
  readonly anchorNumber: number;
  /** Display number of the past anchor that a P or B picture is predicted from. */
  readonly forward: number | undefined;
  /** Display number of the future anchor that a B picture is predicted from. */
  readonly backward: number | undefined;
  /** How many repetitions come before this picture; they have no numbers here. Default 0. At low latency only. */
  readonly repeatsBefore?: number;
  /** Columns of macroblocks that are intra. The columns to their left are predicted from each other alone. */
  readonly refreshColumns?: ColumnRange | undefined;
}

/** Columns of macroblocks from `first` to before `end`; none where these are equal. */
export interface ColumnRange {
  readonly first: number;
  readonly end: number;
}

/**
 * Puts pictures into coded order: a B picture follows the anchor that is shown after it.
 *
 *     shown    I0 B1 B2 P3 B4 B5 P6 I7
 *     coded    I0 P3 B1 B2 P6 B4 B5 I7
 */
export class CodedOrder {
  #nextCodedNumber = 0;
  #anchors = 0;
  #groupStart = 0;
  #anchor: number | undefined;
  /** B pictures that wait for the anchor after them. */
  #waiting: number[] = [];

  /** Display number of the last anchor; NO_ANCHOR before the first. */
  get lastAnchor(): number {
    return this.#anchor ?? NO_ANCHOR;
  }

  /** How many anchors have come: the anchorNumber of the next one. */
  get anchors(): number {
    return this.#anchors;
  }

  /** Takes the next picture in display order; returns the pictures that can be coded now. */
  push(displayNumber: number, type: PictureType): PlannedPicture[] {
    if (type === 'B') {
      this.#waiting.push(displayNumber);
      return [];
    }
    return this.#withAnchor(displayNumber, type);
  }

  /** No more pictures: the last waiting B picture becomes a P picture. */
  end(): PlannedPicture[] {
    const last = this.#waiting.pop();
    return last === undefined ? [] : this.#withAnchor(last, 'P');
  }

  /** An anchor and the B pictures that wait for it. */
  #withAnchor(displayNumber: number, type: 'I' | 'P'): PlannedPicture[] {
    const between = this.#waiting;
    const past = this.#anchor;
    this.#waiting = [];
    this.#anchor = displayNumber;
    if (type === 'I') this.#groupStart = between[0] ?? displayNumber;
    const isPredicted = type === 'P';
    const anchor = this.#plan(displayNumber, {
      type,
      closedGroup: isPredicted || between.length === 0,
      forward: isPredicted ? past : undefined,
      backward: undefined,
    });
    this.#anchors++;
    const ofBetween = { type: 'B', closedGroup: true, forward: past, backward: displayNumber } as const;
    return [anchor, ...between.map(number => this.#plan(number, ofBetween))];
  }

  #plan(
    displayNumber: number,
    { type, closedGroup, forward, backward }: Pick<PlannedPicture, 'type' | 'closedGroup' | 'forward' | 'backward'>,
  ): PlannedPicture {
    return {
      type,
      displayNumber,
      codedNumber: this.#nextCodedNumber++,
      startsGroup: type === 'I',
      closedGroup,
      groupStart: this.#groupStart,
      temporalReference: displayNumber - this.#groupStart,
      anchorNumber: this.#anchors,
      forward,
      backward,
    };
  }
}

/** The rules for picture types. */
export interface GopPattern {
  /** Distance of I pictures, in pictures; the greatest one where types follow the scenes. */
  readonly gop: number;
  /** The smallest distance of I pictures where types follow the scenes. */
  readonly gopMin: number;
  /** B pictures between two anchors; at most so many where types follow the scenes. */
  readonly bFrames: number;
  /** True: the last picture shown of a group is an anchor, so no B picture is predicted from two groups. */
  readonly closedGop: boolean;
}

/** The type of a picture in the pattern, where the anchor before it is shown as `lastAnchor`. */
export function patternType(
  displayNumber: number,
  lastAnchor: number,
  { gop, bFrames, closedGop }: Omit<GopPattern, 'gopMin'>,
): PictureType {
  const position = displayNumber % gop;
  if (position === 0) return 'I';
  if (closedGop && position === gop - 1) return 'P';
  return displayNumber - lastAnchor > bFrames ? 'P' : 'B';
}

/** The plan with the numbers that the picture has among all pictures of the stream. */
export function numberedWithRepetitions(plan: PlannedPicture): PlannedPicture {
  const { displayNumber, codedNumber, repeatsBefore = 0 } = plan;
  return { ...plan, displayNumber: displayNumber + repeatsBefore, codedNumber: codedNumber + repeatsBefore };
}
