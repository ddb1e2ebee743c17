// Keeps frames of sound until they are due in a container.
import { InputError, OptionError } from '../../errors.js';
import { checkFrame, type SoundFormat } from '../sound/layer-two.js';
import type { SystemClock } from './system-clock.js';

/** A frame of sound that is to be sent. */
export interface DueFrame {
  readonly data: Uint8Array;
  /** When it is decoded and presented, in ticks of 90 kHz. */
  readonly ticks: number;
}

/** The error for sound that is written to a stream which was opened without a format of sound. */
export function unexpectedSound(): OptionError {
  return new OptionError('sound', 'the stream was opened without sound: give its format');
}

/** The error for a frame of sound whose place in the stream has been written already; frames count from 0. */
export function lateSoundFrame(index: number): InputError {
  return new InputError(`frame ${index} of the sound comes too late: give it before the picture of its time`);
}

/** The sound of a system or transport stream. Its first frame is presented with the first picture. */
export class SoundQueue {
  readonly #waiting: DueFrame[] = [];
  #count = 0;
  #sentUntilTicks = 0;

  constructor(
    readonly format: SoundFormat,
    private readonly clock: SystemClock,
  ) {}

  /** Whether no frame waits. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Takes the next frame. Throws an InputError for one of another format, or one that comes too late to be sent. */
  push(data: Uint8Array): void {
    checkFrame(data, this.format, this.#count);
    const ticks = this.clock.soundTicks(this.#count, this.format.sampleRate);
    if (ticks < this.#sentUntilTicks) {
      throw lateSoundFrame(this.#count);
    }
    this.#count++;
    this.#waiting.push({ data, ticks });
  }

  /** The frames that are presented before `ticks` and have not been sent. */
  takeBefore(ticks: number): DueFrame[] {
    this.#sentUntilTicks = ticks;
    const end = this.#waiting.findIndex(frame => frame.ticks >= ticks);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}
