// Shows a race of estimators as lanes.
import { byId, element } from './page.ts';
import { ENTRANTS, type Lap, racePictures, runEntrant } from './run/race.ts';
import type { Settings } from './settings.ts';
import type { Clip } from './sources/clip.ts';

/** The race. */
export class RaceView {
  readonly #button = byId<HTMLButtonElement>('race');
  readonly #contestants: () => { readonly clip: Clip; readonly settings: Settings } | undefined;
  #running: AbortController | undefined;
  #laps: Lap[] = [];

  /** `contestants` gives the clip and the settings of the next race, once there are any. */
  constructor(contestants: () => { readonly clip: Clip; readonly settings: Settings } | undefined) {
    this.#contestants = contestants;
    this.#button.addEventListener('click', () => (this.#running ? this.stop() : void this.#start()));
    this.#clear();
  }

  /** Ends a race. */
  stop(): void {
    this.#running?.abort();
  }

  #clear(): void {
    this.#laps = ENTRANTS.map(name => ({ name, pictures: 0, of: 0, picturesPerSecond: 0, bits: 0 }));
    delete byId('laps').dataset.over;
    this.#draw();
  }

  async #start(): Promise<void> {
    const job = this.#contestants();
    if (!job) return;
    this.#clear();
    const running = new AbortController();
    this.#running = running;
    this.#button.textContent = 'Stop';
    const { signal } = running;
    try {
      const frames = await racePictures(job.clip, signal);
      if (signal.aborted) this.#say('stopped before the start');
      for (const name of ENTRANTS) {
        if (signal.aborted) break;
        await runEntrant(name, { frames, settings: job.settings, signal }, lap => {
          this.#laps = this.#laps.map(other => (other.name === lap.name ? lap : other));
          this.#draw();
        });
      }
    } catch (error) {
      // The clip's own: those who run tell theirs on their lanes.
      if (!signal.aborted) this.#say((error as Error).message);
    }
    this.#running = undefined;
    this.#button.textContent = 'Start again';
    byId('laps').dataset.over = 'yes';
  }

  /** Says in one line why there are no lanes. */
  #say(reason: string): void {
    byId('laps').replaceChildren(element('li', {}, element('small', {}, reason)));
  }

  #draw(): void {
    const fastest = Math.max(1, ...this.#laps.map(({ picturesPerSecond }) => picturesPerSecond));
    byId('laps').replaceChildren(...this.#laps.map(lap => lane(lap, fastest)));
  }
}

function lane({ name, pictures, of, picturesPerSecond, bits, reason }: Lap, fastest: number): HTMLElement {
  const bar = element('i', { style: `width: ${((100 * picturesPerSecond) / fastest).toFixed(1)}%` });
  const kbytes = bits / 8000;
  const result = pictures === 0 ? '' : `${picturesPerSecond.toFixed(1)} pictures/s`;
  const item = element('li', { class: name.startsWith('gpu') ? 'gpu' : 'cpu' }, element('span', {}, name));
  item.append(element('span', { class: 'lane' }, bar), element('span', {}, result));
  const detail = pictures < of ? `picture ${pictures} of ${of}` : `${kbytes.toFixed(1)} kB`;
  if (reason !== undefined) item.append(element('small', {}, reason));
  else if (pictures > 0) item.append(element('small', {}, detail));
  return item;
}
