// Fuzzes one kind: makes the cases of a seed, runs each, and makes what fails as small as it can be.
import fc from 'fast-check';
import { FOUND_CASES } from '../found-cases.js';
import type { CaseProcess } from './case-process.js';
import type { FuzzKind, Outcome } from './fuzz-kind.js';
import { KINDS, type KindName } from './kinds.js';

/** How long one failure is made smaller. */
const SHRINK_SECONDS = 30;
/** Of a message, what tells failures apart. */
const LIKENESS_CHARACTERS = 70;
/** A longer case is named by its path, in characters. */
const MAX_COMMAND = 1500;
/** As good as no limit of the cases. */
const MAX_CASES = 10_000_000;

/** Which cases to run. */
export interface FuzzJob {
  readonly kind: KindName;
  readonly seed: number;
  /** Either may be left out. */
  readonly cases: number | undefined;
  readonly seconds: number | undefined;
  /** Runs this one alone: by its place, as a failure names it, or as it is. */
  readonly path: string | undefined;
  readonly given: unknown;
}

/** A failure, made smaller. */
export interface Find {
  readonly kind: KindName;
  readonly failure: string;
  readonly given: unknown;
  /** The command that repeats it. */
  readonly command: string;
}

/** What came of it. */
export interface FuzzResult {
  readonly cases: number;
  readonly outcomes: Readonly<Record<Outcome | 'failed', number>>;
  readonly seconds: number;
  readonly finds: readonly Find[];
}

/** Runs the cases of a job, those found before first. `report` gets each find at once. */
export async function fuzz(job: FuzzJob, process: CaseProcess, report: (find: Find) => void): Promise<FuzzResult> {
  const start = performance.now();
  const run = new FuzzRun(job, process, report);
  if (job.given !== undefined) await run.check(job.given);
  else if (job.path !== undefined) await run.check(run.caseAt(job.path));
  else {
    for (const { kind, given } of FOUND_CASES) if (kind === job.kind) await run.check(given);
    await run.checkAll();
  }
  const { outcomes, finds } = run;
  const cases = outcomes.right + outcomes.refused + outcomes.failed;
  return { cases, outcomes, seconds: (performance.now() - start) / 1000, finds };
}

class FuzzRun {
  readonly outcomes = { right: 0, refused: 0, failed: 0 };
  readonly finds: Find[] = [];
  /** How cases have failed: what fails in the same way is reported once. */
  readonly #known = new Set<string>();
  readonly #kind: FuzzKind<unknown>;

  constructor(
    readonly job: FuzzJob,
    readonly process: CaseProcess,
    readonly report: (find: Find) => void,
  ) {
    this.#kind = KINDS[job.kind] as FuzzKind<unknown>;
  }

  /** The case at a place among those of the seed, or of what it was made smaller to. */
  caseAt(path: string): unknown {
    return fc.sample(this.#kind.cases, { seed: this.job.seed, path, numRuns: 1 })[0];
  }

  /** Runs one case; `path` is its place. */
  async check(given: unknown, path?: string): Promise<void> {
    const reply = await this.#run(given);
    if ('outcome' in reply) this.outcomes[reply.outcome]++;
    else {
      this.outcomes.failed++;
      const likeness = likenessOf(reply.failure);
      if (this.#known.has(likeness)) return;
      this.#known.add(likeness);
      // A case that hangs would hang again for each smaller one.
      if (path === undefined || reply.failure.startsWith('hangs')) this.#note(reply.failure, given, path);
      else await this.#shrink(path, reply.failure);
    }
  }

  /** Runs all cases of the seed. A failure does not end it. */
  async checkAll(): Promise<void> {
    const { seed, cases = MAX_CASES, seconds = Number.POSITIVE_INFINITY } = this.job;
    const end = performance.now() + 1000 * seconds;
    let index = 0;
    const property = fc.asyncProperty(this.#kind.cases, async given => {
      if (performance.now() > end) throw new Error('the time is over');
      await this.check(given, String(index++));
    });
    await fc.check(property, { seed, numRuns: cases, endOnFailure: true });
  }

  #run(given: unknown) {
    return this.process.run({ kind: this.job.kind, given }, this.#kind.limitSeconds);
  }

  /** Runs a failed case again, and then smaller and smaller ones that still fail. */
  async #shrink(path: string, failure: string): Promise<void> {
    const end = performance.now() + 1000 * SHRINK_SECONDS;
    let smallest = `${failure}\n(but not when it was run again)`;
    const property = fc.asyncProperty(this.#kind.cases, async given => {
      const again = performance.now() < end ? await this.#run(given) : undefined;
      if (!again || 'outcome' in again) return;
      smallest = again.failure;
      throw new Error(again.failure);
    });
    const { counterexample, counterexamplePath } = await fc.check(property, { seed: this.job.seed, path, numRuns: 1 });
    this.#note(smallest, counterexample?.[0] ?? this.caseAt(path), counterexamplePath ?? path);
  }

  #note(failure: string, given: unknown, path?: string): void {
    const { kind, seed } = this.job;
    const itself = `--case '${JSON.stringify(given)}'`;
    const place = path === undefined || itself.length < MAX_COMMAND ? itself : `--seed ${seed} --path ${path}`;
    const find = { kind, failure, given, command: `npm run test:fuzz -- --only ${kind} ${place}` };
    this.finds.push(find);
    this.report(find);
  }
}

/** The start of the first line of a failure, without its numbers and what stands in quotes. */
function likenessOf(failure: string): string {
  const [line = ''] = failure.split('\n');
  return line.replace(/'[^']*'|[-\d.]+/g, '#').slice(0, LIKENESS_CHARACTERS);
}
