// The command line of the fuzzer.
import { parseArgs } from 'node:util';
import { CaseProcess } from './case-process.js';
import { type Find, type FuzzResult, fuzz } from './fuzz-run.js';
import { KIND_NAMES, KINDS, type KindName } from './kinds.js';

const USAGE = `npm run test:fuzz -- [--seconds N] [--cases N] [--seed S] [--only ${KIND_NAMES.join('|')}]
  --seconds N   how long to run; 60 unless --cases says how many cases to run
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
  const kinds = KIND_NAMES.filter(name => (values.only ?? name) === name);
  const isOneCase = values.path !== undefined || values.case !== undefined;
  if (values.help || kinds.length === 0 || (isOneCase && kinds.length > 1)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const seed = wholeNumber(values.seed) ?? Date.now() % 2 ** 31;
  const cases = wholeNumber(values.cases);
  const seconds = wholeNumber(values.seconds) ?? (cases === undefined ? 60 : undefined);
  const results: FuzzResult[] = [];
  for (const kind of kinds) {
    const part = kinds.length === 1 ? 1 : KINDS[kind].percent / 100;
    const share = (whole: number | undefined) => (whole === undefined ? undefined : Math.ceil(whole * part));
    const given = values.case === undefined ? undefined : JSON.parse(values.case);
    const job = { kind, seed, cases: share(cases), seconds: share(seconds), path: values.path, given };
    results.push(await runKind(kind, job, gpuEnvironment));
  }
  return results.some(({ finds }) => finds.length > 0) ? 1 : 0;
}

async function runKind(kind: KindName, job: Parameters<typeof fuzz>[0], gpuEnvironment: NodeJS.ProcessEnv) {
  const environment = { ...process.env, ...('needsGpu' in KINDS[kind] && gpuEnvironment) };
  const cases = new CaseProcess(environment);
  try {
    const result = await fuzz(job, cases, printFind);
    const { right, refused, failed } = result.outcomes;
    const { finds, seconds } = result;
    const count = `${result.cases} cases: ${right} right, ${refused} refused, ${failed} failed in ${finds.length} ways`;
    console.log(`${kind}, seed ${job.seed}: ${count}; ${seconds.toFixed(0)} s`);
    return result;
  } finally {
    cases.close();
  }
}

function printFind({ kind, failure, given, command }: Find): void {
  console.log(`\n${kind}: ${failure}\n  the case: ${JSON.stringify(given)}\n  to repeat it: ${command}\n`);
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text) && !/^-?\d{1,10}$/.test(text)) throw new Error(`'${text}' is not a whole number`);
  return Number(text);
}
