// `mpegpu locate`: from flags to a job, from its result to output.
import { counted } from '../../counted.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { OptionError } from '../../errors.js';
import { Interrupted, printWarning } from '../failure.js';
import { asFlag, type FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { progressDisplay } from '../progress-bar.js';
import { writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { locateReport, locateText } from './locate-report.js';
import type { LocateJob } from './locate-run.js';

type LocateFlags = FlagsOf<'locate'>;

/** Runs `mpegpu locate`. */
export async function locate(pattern: string, inputs: readonly string[], flags: LocateFlags): Promise<void> {
  await checkFiles(pattern, inputs, flags);
  const warnings = new Warnings(flags);
  const result = await Interruption.during(async interruption => {
    const { runLocate } = await import('./locate-run.js'); // loaded here: other commands start sooner
    return runLocate(locateJob(pattern, inputs, flags, warnings.add), interruption);
  }, 'stopping: the current picture is being finished (interrupt again to give up)');
  if (flags.json) {
    await writeStandardOutput(`${JSON.stringify({ ...locateReport(result), warnings: warnings.messages })}\n`);
  } else {
    await writeStandardOutput(locateText(result, flags));
  }
  if (result.interrupted) throw new Interrupted(`interrupted after ${counted(result.pictures, 'picture')}`);
}

/** Throws an OptionError where pictures have no folder, a folder has no pictures, or a name is needed twice. */
async function checkFiles(pattern: string, inputs: readonly string[], flags: LocateFlags): Promise<void> {
  const { output, outline = false, whiteOut = false, json = false } = flags;
  const isDrawn = outline || whiteOut;
  if (output !== undefined && !isDrawn) {
    throw new OptionError('output', '-o needs --outline or --white-out, which say what is written there');
  }
  if (output === undefined && isDrawn) {
    const flag = outline ? '--outline' : '--white-out';
    throw new OptionError('output', `${flag} needs -o, the folder that its pictures are written to`);
  }
  if (output === '-')
    throw new OptionError('output', '-o - is not possible: a folder is needed (./- for one called -)');
  if (inputs.filter(input => input === '-').length > 1) {
    throw new OptionError('input', '- is named twice: standard input is read once');
  }
  await requireDifferentFiles({
    inputs: { 'the pattern': pattern, ...Object.fromEntries(inputs.map((path, i) => [`input ${i + 1}`, path])) },
    outputs: {},
    folders: { '-o': output },
    json,
  });
}

function locateJob(
  pattern: string,
  inputs: readonly string[],
  { tolerance, device, frames, size, deinterlace, background, ...flags }: LocateFlags,
  onWarning: (message: string) => void,
): LocateJob {
  return {
    pattern,
    inputs,
    reading: {
      ...(frames !== undefined && { frames }),
      ...(size && { size }),
      ...(deinterlace && { deinterlace }),
      ...(background !== undefined && { background }),
      damage: 'warn',
      onWarning,
      optionNaming: asFlag,
    },
    search: { tolerance, device, onWarning },
    output: {
      outline: flags.outline ?? false,
      whiteOut: flags.whiteOut ?? false,
      folder: flags.output,
      overwrite: flags.overwrite ?? false,
      onLeftover: printWarning,
    },
    showProgress: progressDisplay(flags),
  };
}
