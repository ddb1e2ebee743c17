// What the coding loop works on: the parts of an encode that it uses, and pictures on their way.
import type { KernelMemory } from '../kernels/kernel-memory.js';
import type { ThreadKeeper } from '../threads/thread-messages.js';
import type { AccessUnitQueue } from './access-unit-queue.js';
import type { CallerFunctions } from './caller-functions.js';
import type { FilteringPicture } from './coders/filtering-ahead.js';
import type { SharedCoders } from './coders/shared-coders.js';
import type { PlannedPicture } from './gop/gop-plan.js';
import type { SourcePictures } from './gop/source-pictures.js';
import type { MotionPipeline } from './motion/motion-pipeline.js';
import type { PictureJob } from './picture/picture-job.js';
import type { References } from './picture/reference-pictures.js';
import type { PictureQueue } from './picture-queue.js';
import type { PlanningLoop } from './planning-loop.js';
import type { Progress } from './progress.js';
import type { RatedJob, ScaledPicture } from './rate-control/rate-controlled-coder.js';
import type { EncodeTotals } from './report/statistics.js';
import type { EncoderSettings } from './settings/resolve-options.js';

/** What the loop shares with the encoder. */
export interface CodingJob {
  readonly settings: EncoderSettings;
  /** What the coders work in, where threads share it with others. */
  readonly memory: KernelMemory | undefined;
  /** Where coder threads come from and go to. */
  readonly keptThreads: ThreadKeeper | undefined;
  /** Coder threads that the lookahead's thread asks, too. */
  readonly sharedCoders: SharedCoders | undefined;
  /** See `Lookahead.setsUpGpu`. */
  readonly setsUpGpu: boolean | undefined;
  /** See `Lookahead.filterPort`. */
  readonly filterPort: MessagePort | undefined;
  readonly caller: CallerFunctions;
  readonly motion: MotionPipeline;
  /** Whether a GPU searches, as far as that is known. */
  readonly usesGpu: () => boolean;
  /** Tells which part of the coder's waits for pictures is due to motion. */
  readonly planning: PlanningLoop;
  /** Planned pictures come from here ... */
  readonly queue: PictureQueue;
  /** ... and their memory goes back here. */
  readonly sources: SourcePictures;
  readonly output: AccessUnitQueue;
  readonly progress: Progress;
  readonly totals: EncodeTotals;
}

/** A picture that waits for a thread or is being coded. */
export interface PictureUnderWay {
  readonly plan: PlannedPicture;
  /** The reconstructions that it holds until it is handed out. */
  readonly references: References;
  readonly coded: Promise<ScaledPicture>;
}

/** A picture that can be given to a thread. */
export interface PreparedPicture {
  readonly job: Omit<PictureJob, 'quantizerScale' | 'budget'>;
  /** At a bit rate, its first budget and what that was made from. */
  readonly rated: Pick<RatedJob, 'budget' | 'upcoming'> | undefined;
  /** At a bit rate that of its first budget. */
  readonly quantizerScale: number;
  /** A GPU filters it. */
  readonly filtering: FilteringPicture | undefined;
}
