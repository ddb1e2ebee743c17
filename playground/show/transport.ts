// Plays and steps through the pictures of a run.
import { byId } from '../page.ts';
import { FRAME_RATE } from '../sources/clip.ts';

/** Where the pictures are. */
export class Transport {
  readonly #onMove: (number: number) => void;
  readonly #slider = byId<HTMLInputElement>('frame');
  readonly #playButton = byId<HTMLButtonElement>('play');
  #number = 0;
  #count = 0;
  #isWhole = false;
  #isPlaying = false;
  #nextTick: number | undefined;
  #lastMs = 0;
  /** Of the present picture, in pictures. */
  #elapsed = 0;

  /** `onMove` is called when another picture is to be shown. */
  constructor(onMove: (number: number) => void) {
    this.#onMove = onMove;
    byId('previous').addEventListener('click', () => this.step(-1));
    byId('next').addEventListener('click', () => this.step(1));
    this.#playButton.addEventListener('click', () => this.play(!this.#isPlaying));
    this.#slider.addEventListener('input', () => this.seek(Number(this.#slider.value)));
  }

  get number(): number {
    return this.#number;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** There are so many pictures now; at the end of a whole film, playing begins again. */
  extend(count: number, expected: number, isWhole: boolean): void {
    this.#isWhole = isWhole;
    if (count !== this.#count) {
      this.#count = count;
      this.#slider.max = String(Math.max(0, expected - 1));
      if (this.#number >= count && count > 0) this.#number = 0;
      this.#say();
    }
    const progress = byId<HTMLProgressElement>('progress');
    progress.value = expected === 0 ? 0 : count / expected;
  }

  /** Plays, or stops. */
  play(isPlaying: boolean): void {
    this.#isPlaying = isPlaying;
    if (isPlaying && this.#nextTick === undefined) {
      this.#lastMs = performance.now();
      this.#nextTick = requestAnimationFrame(this.#tick);
    }
    this.#playButton.textContent = isPlaying ? 'Pause' : 'Play';
    byId('values').setAttribute('aria-live', isPlaying ? 'off' : 'polite');
  }

  /** Stops and moves on. */
  step(by: number): void {
    this.seek(this.#number + by);
  }

  /** Stops and shows a picture. */
  seek(number: number): void {
    this.play(false);
    this.#moveTo(Math.max(0, Math.min(this.#count - 1, number)));
  }

  /** Shows the first picture and goes on as before. */
  restart(): void {
    this.#count = 0;
    this.#moveTo(0);
  }

  /** While nothing is played, the browser draws nothing: it sleeps. */
  readonly #tick = (nowMs: number): void => {
    this.#nextTick = this.#isPlaying ? requestAnimationFrame(this.#tick) : undefined;
    const passed = ((nowMs - this.#lastMs) * FRAME_RATE) / 1000;
    this.#lastMs = nowMs;
    if (!this.#isPlaying || this.#count === 0) return;
    this.#elapsed = Math.min(2, this.#elapsed + passed);
    if (this.#elapsed < 1) return;
    this.#elapsed -= 1;
    if (this.#number + 1 < this.#count) this.#moveTo(this.#number + 1);
    else if (this.#isWhole) this.#moveTo(0);
  };

  #moveTo(number: number): void {
    this.#number = number;
    this.#say();
    this.#onMove(number);
  }

  #say(): void {
    this.#slider.value = String(this.#number);
    this.#slider.setAttribute('aria-valuetext', `picture ${this.#number + 1} of ${this.#count}`);
    byId('position').textContent = this.#count === 0 ? '' : `${this.#number + 1} / ${this.#count}`;
  }
}
