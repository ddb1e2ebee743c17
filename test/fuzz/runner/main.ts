// The command line of the fuzzer.
import { parseArgs } from 'node:util';
import { CaseProcess } from './case-process.js';
import { type Find, type FuzzJob, type FuzzResult, fuzz } from './fuzz-run.js';
import { KIND_NAMES, KINDS, type KindName } from './kinds.js';

const USAGE = `npm run test:fuzz -- [--seconds N] [--cases N] [--seed S] [--only ${KIND_NAMES.join('|')}]
  --seconds N   how long to run; 60 unless --cases says how many cases to run
  --cases N     how many, shared among the kinds; KIND=N,KIND=N...: so many of these kinds
  --seed S      the same seed makes the same cases; otherwise the time of day is the seed
  --only KIND   one kind alone, of which --path P or --case '<json>' runs a single case again`;

/** Runs the fuzzer; resolves to its exit status. `gpuEnvironment` is what a process needs to find the software GPU. */
export async function main(args: readonly string[], gpuEnvironment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string' },
      cases: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      path: { type: 'string' },
      case: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const counts = casesOfKinds(values.cases);
  const kinds = KIND_NAMES.filter(name => (values.only ?? name) === name && (counts?.has(name) ?? true));
  const isOneCase = values.path !== undefined || values.case !== undefined;
  if (values.help || kinds.length === 0 || (isOneCase && kinds.length > 1)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const seed = wholeNumber(values.seed) ?? Date.now() % 2 ** 31;
  const cases = counts ? undefined : wholeNumber(values.cases);
  const seconds = wholeNumber(values.seconds) ?? (values.cases === undefined ? 60 : undefined);
  const results: FuzzResult[] = [];
  const usual = new CaseProcess(process.env);
  const withGpu = new CaseProcess({ ...process.env, ...gpuEnvironment });
  try {
    for (const kind of kinds) {
      const part = kinds.length === 1 ? 1 : KINDS[kind].percent / 100;
      const share = (whole: number | undefined) => (whole === undefined ? undefined : Math.ceil(whole * part));
      const given = values.case === undefined ? undefined : JSON.parse(values.case);
      const own = { cases: counts?.get(kind) ?? share(cases), seconds: share(seconds) };
      const job = { kind, seed, ...own, path: values.path, given };
      results.push(await runKind(job, 'needsGpu' in KINDS[kind] ? withGpu : usual));
    }
  } finally {
    usual.close();
    withGpu.close();
  }
  return results.some(({ finds }) => finds.length > 0) ? 1 : 0;
}

async function runKind(job: FuzzJob, cases: CaseProcess): Promise<FuzzResult> {
  const result = await fuzz(job, cases, printFind);
  const { right, refused, failed } = result.outcomes;
  const { finds, seconds } = result;
  const count = `${result.cases} cases: ${right} right, ${refused} refused, ${failed} failed in ${finds.length} ways`;
  console.log(`${job.kind}, seed ${job.seed}: ${count}; ${seconds.toFixed(0)} s`);
  return result;
}

function printFind({ kind, failure, given, command }: Find): void {
  console.log(`\n${kind}: ${failure}\n  the case: ${JSON.stringify(given)}\n  to repeat it: ${command}\n`);
}

/** Cases by kind, where `text` names kinds: `cli=12,inputs=50`. */
function casesOfKinds(text: string | undefined): ReadonlyMap<KindName, number> | undefined {
  if (!text?.includes('=')) return undefined;
  const parts = text.split(',').map(part => part.split('='));
  return new Map(
    parts.map(([name, cases]) => {
      const kind = KIND_NAMES.find(each => each === name);
      if (kind === undefined) throw new Error(`'${name}' is no kind: ${KIND_NAMES.join(', ')}`);
      return [kind, wholeNumber(cases)!];
    }),
  );
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text) && !/^-?\d{1,10}$/.test(text)) throw new Error(`'${text}' is not a whole number`);
  return Number(text);
}
