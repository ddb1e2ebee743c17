import type { PictureType } from '../../bitstream/picture-type.js';

/** What the plan says of one picture. */
export interface PlannedPicture {
  readonly type: PictureType;
  /** Position in display order, from 0 over the whole encode. */
  readonly displayNumber: number;
  /** Position in coded order, from 0 over the whole encode. */
  readonly codedNumber: number;
  /** True: a group of pictures starts with this picture, in coded order. */
  readonly startsGroup: boolean;
  /** False: B pictures follow that need the anchor before this group; §2.4.3.3. */
  readonly closedGroup: boolean;
  /** Display number of the first picture shown of the group. */
  readonly groupStart: number;
  /** Display number within the group of pictures. */
  readonly temporalReference: number;
  /** Display numbers of the anchors that the picture is predicted from: past (P, B) and future (B). */
  readonly forward: number | undefined;
  readonly backward: number | undefined;
}

/**
 * Puts pictures into coded order: a B picture follows the anchor that is shown after it.
 *
 *     shown    I0 B1 B2 P3 B4 B5 P6 I7
 *     coded    I0 P3 B1 B2 P6 B4 B5 I7
 */
export class CodedOrder {
  #coded = 0;
  #groupStart = 0;
  #anchor: number | undefined;
  /** B pictures that wait for the anchor after them. */
  #waiting: number[] = [];

  /** Takes the next picture in display order with its type; returns what can be coded now. */
  push(displayNumber: number, type: PictureType): PlannedPicture[] {
    if (type === 'B') {
      this.#waiting.push(displayNumber);
      return [];
    }
    return this.#withAnchor(displayNumber, type);
  }

  /** No more pictures: the last one waiting becomes an anchor. */
  end(): PlannedPicture[] {
    const last = this.#waiting.pop();
    return last === undefined ? [] : this.#withAnchor(last, 'P');
  }

  #withAnchor(displayNumber: number, type: 'I' | 'P'): PlannedPicture[] {
    const between = this.#waiting;
    const past = this.#anchor;
    this.#waiting = [];
    this.#anchor = displayNumber;
    if (type === 'I') this.#groupStart = between[0] ?? displayNumber;
    const anchor = this.#plan(
      displayNumber,
      type,
      type === 'P' || between.length === 0,
      type === 'P' ? past : undefined,
      undefined,
    );
    return [anchor, ...between.map(number => this.#plan(number, 'B', true, past, displayNumber))];
  }

  #plan(
    displayNumber: number,
    type: PictureType,
    closedGroup: boolean,
    forward: number | undefined,
    backward: number | undefined,
  ): PlannedPicture {
    return {
      type,
      displayNumber,
      codedNumber: this.#coded++,
      startsGroup: type === 'I',
      closedGroup,
      groupStart: this.#groupStart,
      temporalReference: displayNumber - this.#groupStart,
      forward,
      backward,
    };
  }
}

/** Settings of the pattern of picture types. */
export interface GopPattern {
  /** Pictures from one I picture to the next; at most, where types follow the scenes. */
  readonly gop: number;
  /** Pictures from one I picture to the next at least, where types follow the scenes. */
  readonly gopMin: number;
  /** B pictures between two anchors. */
  readonly bFrames: number;
  /** True: the last picture of a group is an anchor, so that no B picture needs the next group. */
  readonly closedGop: boolean;
}

/** The type of a picture in a fixed pattern, by its display number. */
export function patternType(
  displayNumber: number,
  { gop, bFrames, closedGop }: Omit<GopPattern, 'gopMin'>,
): PictureType {
  const position = displayNumber % gop;
  if (position === 0) return 'I';
  if (closedGop && position === gop - 1) return 'P';
  return position % (bFrames + 1) === 0 ? 'P' : 'B';
}
