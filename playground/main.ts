// The playground: a page that encodes and shows how.
import { Curve } from './charts/curve.ts';
import { Points } from './charts/points.ts';
import { showOffers } from './offers.ts';
import { byId, element, oncePerFrame } from './page.ts';
import { RaceView } from './race-view.ts';
import { bufferLevels } from './run/buffer-level.ts';
import { Run } from './run/run.ts';
import { readSettings, SAMPLES, type Settings, settingsQuery, settingsText } from './settings.ts';
import { SettingsForm } from './settings-form.ts';
import { Stage } from './show/stage.ts';
import { Transport } from './show/transport.ts';
import { cameraSource } from './sources/camera-source.ts';
import { Clip, type ClipSource, FRAME_RATE } from './sources/clip.ts';
import { fileSource } from './sources/file-source.ts';
import { sampleSource } from './sources/sample-source.ts';

/** Joins the parts of the page. */
class Playground {
  #settings: Settings = readSettings(location.search);
  #source: ClipSource = sampleSource(this.#settings.source.replace('sample:', ''));
  #clip: Clip | undefined;
  #run: Run | undefined;
  /** Aborted when the camera that was asked for is not wanted any more. */
  #asking = new AbortController();
  readonly #points = new Points();
  readonly #stage = new Stage();
  readonly #transport = new Transport(number => this.#showPicture(number));
  readonly #race = new RaceView(() => this.#clip && { clip: this.#clip, settings: this.#settings });
  readonly #curves = this.#makeCurves();
  readonly #update = oncePerFrame(() => this.#draw());

  start(): void {
    new SettingsForm(
      this.#settings,
      settings => this.#change(settings),
      () => void this.#encode(),
    );
    const samples = Object.entries(SAMPLES).map(([kind, name]) => {
      const button = element('button', { type: 'button', 'data-source': `sample:${kind}` }, name);
      button.addEventListener('click', () => this.#open(sampleSource(kind), `sample:${kind}`));
      return button;
    });
    byId('samples').append(...samples);
    byId('files').addEventListener('change', event => {
      const input = event.target as HTMLInputElement;
      this.#openFiles(Array.from(input.files ?? []));
      input.value = '';
    });
    byId('camera').addEventListener('click', () => void this.#openCamera());
    byId('stop').addEventListener('click', () => this.#clip?.stop());
    for (const container of ['mpg', 'ts'] as const) {
      byId(`save-${container}`).addEventListener('click', () => this.#save(container));
    }
    addEventListener('keydown', event => this.#onKey(event));
    this.#takeDrops();
    this.#transport.play(!matchMedia('(prefers-reduced-motion: reduce)').matches);
    this.#open(this.#source, this.#settings.source);
    void showOffers();
  }

  #makeCurves() {
    const seek = (number: number) => this.#transport.seek(number);
    const bits = new Curve({ title: 'Bits', note: 'of each picture; red: I pictures', unit: 'bits' }, seek);
    const psnr = new Curve({ title: 'PSNR', note: 'of luma, in dB', unit: 'dB' }, seek);
    const buffer = new Curve({ title: "Decoder's buffer", note: 'in bits', unit: 'bits' }, seek);
    byId('curves').append(bits.figure, psnr.figure, buffer.figure);
    return { bits, psnr, buffer };
  }

  #change(given: Settings): void {
    const settings = { ...given, source: this.#settings.source };
    const isOtherClip = (['size', 'seconds', 'flakes'] as const).some(name => settings[name] !== this.#settings[name]);
    this.#settings = settings;
    history.replaceState(null, '', `${location.pathname}${settingsQuery(settings)}`);
    if (isOtherClip) this.#open(this.#source, settings.source);
    else void this.#encode();
  }

  #open(source: ClipSource, name: string): void {
    this.#asking.abort();
    this.#clip?.stop();
    this.#race.stop();
    this.#source = source;
    this.#settings = { ...this.#settings, source: name };
    history.replaceState(null, '', `${location.pathname}${settingsQuery(this.#settings)}`);
    for (const button of Array.from(document.querySelectorAll<HTMLElement>('[data-source]'))) {
      button.setAttribute('aria-pressed', String(button.dataset.source === name));
    }
    byId('for-snow-wind').hidden = name !== 'sample:snow-wind';
    this.#points.clear();
    this.#clip = new Clip(source, this.#settings);
    void this.#encode();
  }

  #openFiles(files: readonly File[]): void {
    try {
      this.#open(fileSource(files), 'files');
    } catch (error) {
      this.#say(error);
    }
  }

  async #openCamera(): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    try {
      this.#open(await cameraSource(signal), 'camera');
    } catch (error) {
      if (!signal.aborted) this.#say(error);
    }
  }

  async #encode(): Promise<void> {
    const clip = this.#clip;
    if (!clip) return;
    this.#run?.stop();
    this.#say(undefined);
    const run = new Run(clip, this.#settings, this.#update);
    this.#run = run;
    this.#transport.restart();
    this.#update(); // what the page says is of this run before its first picture
    try {
      await run.encode();
    } catch (error) {
      if (run === this.#run) this.#say(error);
    }
    if (run.figures && run.clip === this.#clip) this.#points.add({ settings: run.settings, figures: run.figures });
  }

  #showPicture(number: number): void {
    if (this.#run) this.#stage.show(this.#run, number);
    for (const curve of Object.values(this.#curves)) curve.move(number);
  }

  /** Draws what is known of the run. */
  #draw(): void {
    const run = this.#run;
    if (!run) return;
    const { clip, pictures, shown, settings } = run;
    const expected = clip.frames.length;
    this.#transport.extend(shown.length, expected, run.isOver);
    if (shown.length > 0) this.#stage.show(run, this.#transport.number);
    else if (run.isOver) this.#stage.clear();
    byId('stop').hidden = !clip.isLive || clip.isWhole;
    for (const container of ['mpg', 'ts']) byId<HTMLButtonElement>(`save-${container}`).disabled = !run.figures;
    byId('status').textContent = statusOf(run);
    const count = Math.max(1, expected);
    const now = this.#transport.number;
    const bits = pictures.map(picture => picture.bits);
    this.#curves.bits.draw({ values: bits, types: pictures.map(({ type }) => type), count }, now);
    this.#curves.psnr.draw({ values: pictures.map(({ psnrY }) => psnrY), count }, now);
    const steady = settings.rate === 'bitrate' ? 1000 * settings.kbits : undefined;
    const { levels, bitsPerSecond } = bufferLevels(bits, FRAME_RATE, steady);
    const note = `in bits, filled at a steady ${Math.round(bitsPerSecond / 1000)} kbit/s`;
    this.#curves.buffer.draw({ values: levels, count }, now, note);
  }

  /** Says in one line what went wrong, or nothing. */
  #say(error: unknown): void {
    const trouble = byId('trouble');
    trouble.hidden = error === undefined;
    const text = error instanceof Error ? error.message : String(error ?? '');
    trouble.textContent = text;
  }

  #save(container: 'mpg' | 'ts'): void {
    const run = this.#run;
    if (!run?.figures) return;
    const name = run.clip.name
      .replace(/\.[^.]*$/, '')
      .replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
      .toLowerCase();
    const url = URL.createObjectURL(run.file(container));
    element('a', { href: url, download: `${name}-${run.settings.preset}.${container}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  #onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.matches('select, input:not([type=checkbox], [type=radio])')
    )
      return;
    const isButton = target.matches('button, input, a, summary');
    if (event.key === ' ' && !isButton) this.#transport.play(!this.#transport.isPlaying);
    else if (event.key === 'ArrowLeft' && !target.matches('input')) this.#transport.step(-1);
    else if (event.key === 'ArrowRight' && !target.matches('input')) this.#transport.step(1);
    else if (!this.#stage.key(event.key)) return;
    event.preventDefault();
  }

  #takeDrops(): void {
    const cover = byId('drop');
    addEventListener('dragenter', event => {
      if (event.dataTransfer?.types.includes('Files')) cover.hidden = false;
    });
    addEventListener('dragover', event => event.preventDefault());
    addEventListener('dragleave', event => {
      if (event.relatedTarget === null) cover.hidden = true;
    });
    addEventListener('drop', event => {
      event.preventDefault();
      cover.hidden = true;
      this.#openFiles(Array.from(event.dataTransfer?.files ?? []));
    });
  }
}

/** What to say of a clip that is shorter than it was to be. */
const CUT = ' It ends here because longer clips of this size take too much memory.';

/** A run in a sentence. */
function statusOf(run: Run): string {
  const { clip, figures, warnings } = run;
  const note = clip.note ? ` ${clip.note}` : '';
  if (!figures) return run.isOver ? '' : `Encoding ${clip.name}…${note}`;
  const { kbitsPerSecond, psnrY, picturesPerSecond, estimator, threads } = figures;
  const kbytes = (kbitsPerSecond * figures.pictures) / FRAME_RATE / 8;
  const quality = Number.isFinite(psnrY) ? `${psnrY.toFixed(2)} dB` : 'perfect';
  const size = `${clip.frames[0]!.width}×${clip.frames[0]!.height}`;
  const warned = warnings.map(message => ` Warning: ${message}.`).join('');
  return `${clip.name}, ${figures.pictures} pictures of ${size}: ${kbytes.toFixed(0)} kB (${kbitsPerSecond.toFixed(0)} kbit/s), ${quality}, ${picturesPerSecond.toFixed(1)} pictures/s with ${estimator} on ${threads} thread${threads === 1 ? '' : 's'}. ${settingsText(run.settings)}.${note}${warned}${clip.isCut ? CUT : ''}`;
}

new Playground().start();
