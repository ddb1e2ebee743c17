// Threads that analyse pictures, as the lookahead sees them.
import { messageOf } from '../../../errors.js';
import type { LumaPicture, MotionField } from '../../../motion/estimator.js';
import { sendablePicture } from '../../../motion/threads/sendable.js';
import { forkedSignals } from '../../../threads/forked-signals.js';
import { threadEntry } from '../../../threads/node/start-thread.js';
import { TaskThread } from '../../../threads/task-thread.js';
import { threadAt } from '../../../threads/thread-at.js';
import type { ThreadSource } from '../../../threads/thread-messages.js';
import type { LentCoders } from '../../coders/shared-coders.js';
import type { SearchWork } from '../../motion/motion-search.js';
import { proposedField } from '../../motion/vector-proposals.js';
import type {
  ArrivalFindings,
  ArrivalQuestion,
  BetweenFindings,
  BetweenQuestion,
  PictureAnalysis,
} from '../analysis/picture-analysis.js';
import type { BestMotion } from '../analysis/picture-analyst.js';
import type { AnalysisReport, AnalysisSetup, AnalysisTasks, SentMotion } from './analysis-tasks.js';
import { AskedCoders, type AskedThreads, OwnThreads } from './asked-threads.js';
import { entriesFor, SharedSteps } from './shared-steps.js';

type Thread = TaskThread<AnalysisTasks, AnalysisReport>;

/** What the threads are started with. */
export interface AnalysisStart extends Omit<AnalysisSetup, 'mostRead' | 'steps'> {
  /** Coder threads that are asked what lies between anchors, instead of threads that do nothing else. */
  readonly lentCoders?: LentCoders | undefined;
  /** Greatest distance of two anchors, in pictures. */
  readonly maxDistance: number;
  /** Threads that are asked about arrivals, in turn. Where memory cannot be shared, one. */
  readonly forArrivals: number;
  /** See `startDistanceOf`. */
  readonly startDistance: number;
  /** Threads that are asked what lies between anchors, at most, at a time. */
  readonly forDecisions: number;
  readonly onWarning: (message: string) => void;
  readonly workerUrl?: string | undefined;
  /** Where the threads come from and go to. */
  readonly keptThreads?: ThreadSource | undefined;
  /** Gives the start up when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** File that the threads run; analysis-worker.js by default. */
  readonly entry?: string | undefined;
}

/** Threads that analyse pictures. Once one of them fails, none answers any more. */
export class AnalysisThreads implements PictureAnalysis {
  readonly searches: boolean;
  readonly #onWarning: (message: string) => void;
  readonly #threads: readonly Thread[];
  readonly #forArrivals: readonly Thread[];
  readonly #forDecisions: AskedThreads<Thread>;
  readonly #work: SearchWork[];
  /** The smallest display number that each open question reads. */
  readonly #reading = new Set<{ readonly oldest: number }>();
  #hasFailed = false;
  #closed: Promise<void> | undefined;

  private constructor(
    threads: readonly Thread[],
    forDecisions: AskedThreads<Thread>,
    work: SearchWork[],
    { searcher, forArrivals, onWarning }: AnalysisStart,
  ) {
    this.#threads = threads;
    this.#forArrivals = threads.slice(0, forArrivals);
    this.#forDecisions = forDecisions;
    this.#work = work;
    this.searches = searcher !== undefined;
    this.#onWarning = onWarning;
  }

  /** Starts the threads. Rejects with ThreadDeath where one cannot start, or as the estimator's factory does. */
  static async start(start: AnalysisStart): Promise<AnalysisThreads> {
    const { options, maxDistance, searcher, forArrivals, forDecisions, startDistance, entry } = start;
    const { workerUrl, keptThreads, lentCoders } = start;
    const entries = entriesFor(forArrivals, startDistance);
    const steps = { memory: SharedSteps.memory({ grid: options.grid, entries }), entries };
    const setup = { options, searcher, steps };
    const work: SearchWork[] = [];
    const open = async (source: ThreadSource | undefined, mostRead: number, signal?: AbortSignal): Promise<Thread> => {
      const index = work.push({ busyMs: 0, pictures: 0 }) - 1;
      const thread: Thread = await TaskThread.start({
        entry: entry ?? threadEntry(import.meta.url, 'analysis-worker.js'),
        data: { ...setup, mostRead } satisfies AnalysisSetup,
        workerUrl,
        keptThreads: source,
        signal,
        onReport: (report: AnalysisReport) => {
          work[index] = report;
        },
      });
      await thread.ask('open', undefined);
      return thread;
    };
    const own = forArrivals + (lentCoders ? 0 : forDecisions);
    // A picture and the one before it; or a picture, the anchor before it and those that may follow that.
    const starting = forkedSignals(start.signal, own).map((signal, index) =>
      open(keptThreads, index < forArrivals ? 2 : maxDistance + 1, signal),
    );
    const started = await Promise.allSettled(starting);
    const threads = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = started.find(result => result.status === 'rejected');
    if (failed) {
      await Promise.all(threads.map(thread => thread.end()));
      throw failed.reason;
    }
    const decisions = lentCoders
      ? new AskedCoders(lentCoders, forDecisions, port => open(threadAt(port), maxDistance + 1))
      : new OwnThreads(threads.slice(forArrivals));
    return new AnalysisThreads(threads, decisions, work, start);
  }

  /** How many threads there are. */
  get count(): number {
    return this.#forArrivals.length + this.#forDecisions.count;
  }

  get work(): SearchWork {
    return this.#work.reduce((sum, { busyMs, pictures }) => ({
      busyMs: sum.busyMs + busyMs,
      pictures: sum.pictures + pictures,
    }));
  }

  get oldestRead(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { oldest } of this.#reading) least = Math.min(least, oldest);
    return least;
  }

  async arrival(question: ArrivalQuestion): Promise<ArrivalFindings | undefined> {
    const { current, before, field } = question;
    const pictures = before ? [current, before] : [current];
    const thread = this.#forArrivals[current.id % this.#forArrivals.length]!;
    const answer = await this.#asking(pictures, copies => {
      const [sentCurrent, sentBefore] = pictures.map(picture => sendablePicture(picture, copies));
      return thread.ask('arrival', { ...question, current: sentCurrent!, before: sentBefore }, copies);
    });
    return answer && { costs: answer.costs, step: answer.step && received(answer.step, field) };
  }

  async between(question: BetweenQuestion): Promise<BetweenFindings | undefined> {
    const { current, past, futures, fields } = question;
    const answer = await this.#asking([current, past, ...futures], copies =>
      this.#forDecisions.ask(thread => {
        const send = (picture: LumaPicture) => sendablePicture(picture, copies);
        const sent = { ...question, current: send(current), past: send(past), futures: futures.map(send) };
        return thread.ask('between', sent, copies);
      }),
    );
    if (!answer) return undefined;
    const motion = answer.motion.map(({ reference, ...sent }) => ({
      reference,
      best: received(sent, fields?.get(reference)),
    }));
    return { motion, predictions: answer.predictions };
  }

  /** Ends the threads at once. */
  close(): Promise<void> {
    this.#forDecisions.close();
    this.#closed ??= Promise.all(this.#threads.map(thread => thread.end())).then(() => {});
    return this.#closed;
  }

  /** The answer to a question that reads `pictures`; `ask` adds what is handed over to the list that it gets. */
  async #asking<T>(
    pictures: readonly LumaPicture[],
    ask: (copies: ArrayBuffer[]) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (this.#hasFailed) return undefined;
    const read = { oldest: Math.min(...pictures.map(({ id }) => id)) };
    this.#reading.add(read);
    try {
      return await ask([]);
    } catch (error) {
      this.#fail(error);
      return undefined;
    } finally {
      this.#reading.delete(read);
    }
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    if (!this.#closed && !this.#forDecisions.areEnding) {
      this.#onWarning(`a thread that analyses pictures failed (${messageOf(error)}); the lookahead does its work`);
    }
    void this.close();
  }
}

function received({ field, ...best }: SentMotion, given: MotionField | undefined): BestMotion {
  return { ...best, field: field ?? proposedField(given!) };
}
