// The groups of pictures of a live encode: each picture is planned when its frame comes.
import type { PlannedPicture } from '../gop/gop-plan.js';

/**
 * Plans pictures one by one, in the order in which frames come. A group ends after `gop` frames, or before a frame for
 * which a key frame has been requested. A frame that is left out has a repetition in its place:
 *
 *     frames      0  1  2  -  3  4        - is left out
 *     pictures    I  P  P  r  P  P        r repeats the picture before it
 *     temporal    0  1  2  3  4  5        temporal_reference
 */
export class LiveGroups {
  readonly #gop: number;
  /** Plans of pictures that are not coded yet. */
  readonly #planned: PlannedPicture[] = [];
  #frames = 0;
  #repeats = 0;
  /** Frames of the group so far, and where in display order the group starts. */
  #framesInGroup = 0;
  #groupStart = 0;
  #wantsKeyFrame = true;

  /** `gop`: frames from one I picture to the next, if none is requested before. */
  constructor(gop: number) {
    this.#gop = gop;
  }

  /** The next frame begins a group. */
  requestKeyFrame(): void {
    this.#wantsKeyFrame = true;
  }

  /** A frame has come: its picture is planned. */
  addFrame(): void {
    const startsGroup = this.#wantsKeyFrame || this.#framesInGroup >= this.#gop;
    this.#wantsKeyFrame = false;
    if (startsGroup) {
      this.#framesInGroup = 0;
      this.#groupStart = this.#frames + this.#repeats;
    }
    const number = this.#frames++;
    this.#framesInGroup++;
    this.#planned.push({
      ...this.#place(number),
      type: startsGroup ? 'I' : 'P',
      startsGroup,
      forward: startsGroup ? undefined : number - 1,
    });
  }

  /** The plan of the first frame whose plan has not been taken. */
  takePlan(): PlannedPicture {
    return this.#planned.shift()!;
  }

  /** A frame is left out: returns the plan of the picture in its place. */
  leaveOut(): PlannedPicture {
    const place = this.#place(this.#frames);
    this.#repeats++;
    return { ...place, type: 'P', startsGroup: false, forward: this.#frames - 1 };
  }

  /** Where a picture is, in the stream and in its group. */
  #place(number: number): Omit<PlannedPicture, 'type' | 'startsGroup' | 'forward'> {
    return {
      displayNumber: number,
      codedNumber: number,
      closedGroup: true,
      groupStart: this.#groupStart,
      temporalReference: number + this.#repeats - this.#groupStart,
      backward: undefined,
      repeatsBefore: this.#repeats,
    };
  }
}
