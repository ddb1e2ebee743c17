// The form of the settings.
import { ESTIMATOR_NAMES, PRESET_NAMES } from 'mpegpu';
import { byId, element } from './page.ts';
import { FLAKES, LENGTHS, type Settings, SIZES, THREADS } from './settings.ts';

/** Shows the settings, and reads them when people change them. */
export class SettingsForm {
  readonly #form = byId<HTMLFormElement>('settings');
  #settings: Settings;

  /** `onChange` is called when a setting has changed, `onEncode` when the button is pressed. */
  constructor(settings: Settings, onChange: (settings: Settings) => void, onEncode: () => void) {
    this.#settings = settings;
    fill(
      'estimator',
      ESTIMATOR_NAMES.map(name => [name, name]),
    );
    fill(
      'preset',
      PRESET_NAMES.map(name => [name, name]),
    );
    fill(
      'size',
      SIZES.map(size => [String(size), `${size} pels`]),
    );
    fill(
      'seconds',
      LENGTHS.map(seconds => [String(seconds), `up to ${seconds} s`]),
    );
    fill(
      'flakes',
      FLAKES.map(count => [String(count), count.toLocaleString('en')]),
    );
    fill(
      'threads',
      THREADS.map(count => [String(count), count === 0 ? 'automatic' : String(count)]),
    );
    for (const [name, value] of Object.entries(settings)) {
      const field = this.#form.elements.namedItem(name) as HTMLInputElement | null;
      if (field) field.value = String(value);
    }
    this.#show();
    this.#form.addEventListener('input', () => this.#show());
    this.#form.addEventListener('change', () => {
      if (!this.#form.reportValidity()) return;
      this.#settings = this.#read();
      onChange(this.#settings);
    });
    this.#form.addEventListener('submit', event => {
      event.preventDefault();
      onEncode();
    });
  }

  #read(): Settings {
    const field = (name: string) => (this.#form.elements.namedItem(name) as HTMLInputElement).value;
    return {
      ...this.#settings,
      estimator: field('estimator'),
      preset: field('preset'),
      rate: field('rate') as Settings['rate'],
      quality: Number(field('quality')),
      kbits: Number(field('kbits')),
      size: Number(field('size')),
      seconds: Number(field('seconds')),
      flakes: Number(field('flakes')),
      threads: Number(field('threads')),
    };
  }

  #show(): void {
    const { rate, quality } = this.#read();
    byId('quality-text').textContent = String(quality);
    for (const name of ['quality', 'bitrate']) {
      for (const part of Array.from(this.#form.querySelectorAll<HTMLElement>(`.for-${name}`))) {
        part.hidden = rate !== name;
        part.querySelector('input')!.disabled = part.hidden; // what is hidden is not checked
      }
    }
  }
}

function fill(id: string, options: readonly (readonly [value: string, text: string])[]): void {
  byId(id).replaceChildren(...options.map(([value, text]) => element('option', { value }, text)));
}
