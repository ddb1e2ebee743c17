// `mpegpu farm submit`: checks what can be checked here, and gives the job to the farm.
import { stat } from 'node:fs/promises';
import { checkPlanOptions } from '../../chunks/plan-options.js';
import { checkTarget } from '../../encode-files/check-options.js';
import { soundRequest } from '../../encode-files/encode-sound.js';
import { readingOptions, streamRate } from '../../encode-files/open-input.js';
import { InputError, messageOf, OptionError, OutputError } from '../../errors.js';
import { Farm } from '../../farm/farm-client.js';
import {
  checkRequest,
  DEFAULT_STORE,
  type FarmRequest,
  jobNameOf,
  type RequestedOptions,
} from '../../farm/jobs/farm-request.js';
import { isOver, type JobStatus } from '../../farm/jobs/job-status.js';
import { requireContainer } from '../../media/containers/container.js';
import { openFrameRanges } from '../../media/frames/frame-ranges.js';
import { checkPlannedRate, plannedOptions, plannedReading } from '../chunks/planned-options.js';
import { namingMatrixFile } from '../encode/quantizer-matrix-file.js';
import { asFlag, type FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { progressDisplay } from '../progress-bar.js';
import { writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { farmOptions, isPlaceUrl, placeUrl } from './farm-place.js';
import { statusInWords } from './job-commands.js';

type SubmitFlags = FlagsOf<'farm submit'>;

/** How often `--wait` asks for the job, in milliseconds. */
const ASK_MS = 500;

/** Submits a job, and waits for it with `--wait`. */
export async function runSubmit(input: string, flags: SubmitFlags): Promise<void> {
  const request = await requestOf(input, flags);
  const farm = await Farm.open(await farmOptions(flags));
  try {
    if (!(await farm.find(jobNameOf(request)))) await requireNew(flags);
    const { isNew, ...submitted } = await farm.submit(request);
    const status = flags.wait ? await untilOver(farm, submitted, flags) : submitted;
    if (flags.json) await writeStandardOutput(`${JSON.stringify({ ...status, isNew })}\n`);
    else if (!flags.quiet) {
      const what = isNew || flags.wait ? '' : ' (submitted before)';
      await writeStandardOutput(`${statusInWords(status)}${what}\n`);
    }
    if (flags.wait && status.state !== 'done') throw new OutputError(`job ${status.job}: ${status.reason}`);
  } finally {
    await farm.close();
  }
}

/** Throws an OptionError for an output that is there, may not be replaced, and was not made by the same job. */
async function requireNew({ output, overwrite = false }: SubmitFlags): Promise<void> {
  if (overwrite || isPlaceUrl(output) || !(await stat(output).catch(() => undefined))) return;
  throw new OptionError('overwrite', `output ${output} exists already: choose another name, or use --overwrite`);
}

async function requestOf(input: string, flags: SubmitFlags): Promise<FarmRequest> {
  const { output, root, store = DEFAULT_STORE, overwrite = false, audio = 'auto', audioBitrate } = flags;
  checkPlannedRate(flags);
  const options = (await plannedOptions(flags)) as RequestedOptions;
  const reading = plannedReading(flags);
  const request = {
    ...{ input: placeUrl(input, root), output: placeUrl(output, root), store, reading, options, overwrite },
    sound: {
      audio: audio === 'auto' || audio === 'none' ? audio : placeUrl(audio, root),
      ...(audioBitrate !== undefined && { bitRate: audioBitrate }),
    },
  };
  checkRequest(request);
  requireContainer(output);
  checkTarget(options.target, output);
  soundRequest({ audio, audioBitrate, target: options.target, output }, { onNote: () => {}, named: asFlag });
  if (!isPlaceUrl(input)) await checkWithInput(input, request, flags);
  return request;
}

/** Throws the errors that the input and the options would cause on a worker, where the input can be seen from here. */
async function checkWithInput(input: string, { reading, options }: FarmRequest, flags: SubmitFlags): Promise<void> {
  const { add: onWarning } = new Warnings(flags);
  const source = await openFrameRanges(input, { ...readingOptions(reading, onWarning), optionNaming: asFlag });
  try {
    const { width, height } = source;
    const { chunkSeconds: _, frames: __, ...coding } = options;
    checkPlanOptions(coding, { width, height, frameRate: streamRate(source) });
  } catch (error) {
    throw namingMatrixFile(error, flags);
  } finally {
    await source.close();
  }
}

/** The job when it is over. Ctrl-C ends the wait; the job goes on. */
function untilOver(farm: Farm, submitted: JobStatus, flags: SubmitFlags): Promise<JobStatus> {
  const { add: warn } = new Warnings(flags);
  return Interruption.during(async interruption => {
    let status = submitted;
    let progress = progressDisplay(flags)(undefined, { label: status.state, unit: 'chunks' });
    try {
      while (!isOver(status)) {
        await interruption.waitFor(new Promise(resolve => setTimeout(resolve, ASK_MS)));
        const next = await interruption.waitFor(askFor(status, farm, warn));
        if (next.state !== status.state || next.chunks !== status.chunks) {
          progress.stop();
          progress = progressDisplay(flags)(next.chunks, { label: next.state, unit: 'chunks' });
        }
        progress.update(next.chunksDone ?? 0);
        status = next;
      }
      return status;
    } finally {
      progress.stop();
    }
  }, 'the job goes on: mpegpu farm status shows it, mpegpu farm cancel ends it');
}

/** The job as it is now; while the queue is away, as it was last, since workers wait for the queue, too. */
async function askFor(status: JobStatus, farm: Farm, warn: (message: string) => void): Promise<JobStatus> {
  try {
    return await farm.status(status.job);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const message = messageOf(error);
    warn(message.startsWith('the queue ') ? message : `the queue: ${message}`);
    return status;
  }
}
