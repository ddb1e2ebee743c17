// What a process that encodes keeps from step to step: its places, the newest plan, the input that is open.
import { type ChunkPlan, readPlan } from '../../chunks/chunk-plan.js';
import type { ChunkSource } from '../../chunks/chunk-source.js';
import { checkPlanOptions } from '../../chunks/plan-options.js';
import { readingOptions } from '../../encode-files/open-input.js';
import { InputError } from '../../errors.js';
import { pictureOptionsOf } from '../../media/filters/picture-options.js';
import { type FrameRanges, openFrameRanges } from '../../media/frames/frame-ranges.js';
import { KeptThreads } from '../../threads/node/kept-threads.js';
import type { RequestedReading } from '../jobs/farm-request.js';
import { planObject, type StepData, type StepKind } from '../jobs/farm-step.js';
import { type ObjectStore, readWhole } from '../places/object-store.js';
import { Places } from '../places/places.js';
import type { FarmMachine, StepProgress } from './farm-task.js';

/** What a step calls. */
export interface StepListener {
  readonly onProgress: (progress: StepProgress) => void;
  readonly onWarning: (message: string) => void;
}

/** An input that is open, and which one it is. */
interface OpenSource {
  readonly url: string;
  readonly key: string;
  readonly source: FrameRanges;
}

/** The context of the steps of one process. */
export class StepContext {
  readonly machine: FarmMachine;
  /** The chunks are encodes one after another. */
  readonly keptThreads = new KeptThreads();
  readonly places: Places;
  readonly #listener: StepListener;
  #plan: ChunkPlan | undefined;
  #open: OpenSource | undefined;
  #frame: number | undefined;
  #frames = 0;

  constructor(machine: FarmMachine, listener: StepListener) {
    this.machine = machine;
    this.places = new Places(machine.roots, machine.scratch, () => this.#tell());
    this.#listener = listener;
  }

  /** The frame of the input that the present step has read last. */
  get frame(): number | undefined {
    return this.#frame;
  }

  readonly warn = (message: string): void => this.#listener.onWarning(message);

  /** A step begins. A plan is made of the input as it is now. */
  async begin(kind: StepKind, input: string): Promise<void> {
    this.#frame = undefined;
    this.#frames = 0;
    await this.forgetInputs(kind === 'plan' ? undefined : input);
  }

  /** So many frames of the step are done. */
  readonly report = (frames: number): void => {
    this.#frames = frames;
    this.#tell();
  };

  /** The plan of a step, as it lies in the store. */
  async planOf({ plan = '' }: StepData, store: ObjectStore): Promise<ChunkPlan> {
    if (this.#plan?.identity === plan) return this.#plan;
    const name = planObject(plan);
    const bytes = await readWhole(store, name);
    if (!bytes) throw new Error(`the plan ${name} is not in the store: submit the job again`);
    const read = readPlan(JSON.parse(new TextDecoder().decode(bytes)), name);
    if (read.identity !== plan) throw new InputError(`${name} holds another plan, ${read.identity}`);
    // Whoever writes to the store must not choose a module that runs here: such options are refused.
    checkPlanOptions(read.options, read.input);
    this.#plan = read;
    return read;
  }

  /** The frames of an input. It stays open for the next step. */
  async source(url: string, reading: RequestedReading): Promise<FrameRanges> {
    const key = JSON.stringify([url, reading]);
    if (this.#open?.key === key) return this.#open.source;
    await this.closeSource();
    // What the queue may hold besides these options is left out.
    const pictures = pictureOptionsOf(reading.pictures ?? {});
    const options = readingOptions({ ...reading, pictures }, this.warn);
    const source = await openFrameRanges(await this.places.inputPath(url), options);
    this.#open = { url, key, source };
    return source;
  }

  /** The same frames; which one was read last is kept and told. */
  watched(source: FrameRanges): ChunkSource {
    const context = this;
    return {
      name: source.name,
      width: source.width,
      height: source.height,
      frameRate: source.frameRate,
      seeksRoughly: source.seeksRoughly,
      async *frames(wanted, signal) {
        let frame = wanted.first;
        for await (const given of source.frames(wanted, signal)) {
          context.#frame = frame++;
          context.#tell();
          yield given;
        }
      },
    };
  }

  /** Closes the input: the next step opens it anew. */
  async closeSource(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.source.close();
  }

  /** Closes the input and removes what was fetched, but for one input. What is asked for again is read anew. */
  async forgetInputs(kept?: string): Promise<void> {
    if (this.#open?.url !== kept) await this.closeSource();
    await this.places.dropInputs(kept);
  }

  async close(): Promise<void> {
    await this.closeSource();
    await this.keptThreads.close();
    await this.places.close();
  }

  #tell(): void {
    this.#listener.onProgress({ frames: this.#frames, frame: this.#frame ?? 0 });
  }
}
