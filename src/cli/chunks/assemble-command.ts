// `mpegpu assemble`: the video of a plan from its chunks.

import { type AssembledPicture, type AssembledVideo, assembleChunks } from '../../chunks/assemble-chunks.js';
import type { ChunkPlan } from '../../chunks/chunk-plan.js';
import { counted } from '../../counted.js';
import { checkTarget } from '../../encode-files/check-options.js';
import {
  type ChosenSound,
  chooseSound,
  type SoundReport,
  type SoundRequest,
  soundFile,
  soundReport,
  soundRequest,
} from '../../encode-files/encode-sound.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { OutputSet } from '../../encode-files/output-set.js';
import { finitePsnrs, psnrText } from '../../encode-files/psnr-text.js';
import { VideoWriter } from '../../media/output/video-writer.js';
import { type StoredFile, storedFile } from '../../media/stored-file.js';
import { type PictureEntry, pictureEntry } from '../encode/encode-report.js';
import { StdoutWriter } from '../encode/stdout-writer.js';
import { printable, printWarning } from '../failure.js';
import { asFlag, type FlagsOf } from '../flags/flag-table.js';
import { progressDisplay } from '../progress-bar.js';
import { writeReport, writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { plannedInput, readPlanFile, requireOtherThanPlanned } from './plan-file.js';
import { type Stopping, untilStopped } from './stopping.js';

type AssembleFlags = FlagsOf<'assemble'>;

/** Runs `mpegpu assemble`. */
export async function assemble(planPath: string, paths: readonly string[], flags: AssembleFlags): Promise<void> {
  const { output, json = false } = flags;
  const chunks = Object.fromEntries(paths.map(path => [`the chunk ${path}`, path]));
  const warnings = new Warnings(flags);
  const sound = soundRequest(flags, { onNote: warnings.add, named: asFlag });
  const inputs = { 'the plan': planPath, '--audio': soundFile(sound), ...chunks };
  await requireDifferentFiles({ inputs, outputs: { '-o': output }, json });
  const start = performance.now();
  const pictures: PictureEntry[] = [];
  const onPicture = (picture: AssembledPicture) => {
    if (json) pictures.push(pictureEntry(picture));
  };
  const plan = await readPlanFile(planPath);
  await requireOtherThanPlanned(plan, { '-o': output });
  checkTarget(plan.options.target, output);
  const video = await untilStopped(stopping => writeVideo({ plan, paths, flags, sound, onPicture }, stopping));
  const seconds = (performance.now() - start) / 1000;
  if (json) await writeReport({ ...report(plan, video), seconds, output, warnings: warnings.messages }, pictures);
  else if (!flags.quiet && output !== '-') {
    const { frames, bits, psnr } = video;
    const what = `${counted(frames, 'frame')} from ${counted(paths.length, 'chunk')}, ${bits} bits, PSNR ${psnrText(psnr.all)} dB`;
    await writeStandardOutput(`${printable(output)}: ${what}, ${seconds.toFixed(2)} s\n`);
  }
}

/** What to assemble, and who is told of the pictures. */
interface AssembleJob {
  readonly plan: ChunkPlan;
  readonly paths: readonly string[];
  readonly flags: AssembleFlags;
  readonly sound: SoundRequest;
  readonly onPicture: (picture: AssembledPicture) => void;
}

async function writeVideo(
  { plan, paths, flags, sound: request, onPicture }: AssembleJob,
  { interruption, signal }: Stopping,
): Promise<AssembledVideo & SoundReport> {
  const { output, overwrite = false } = flags;
  const outputs = new OutputSet(interruption.stop);
  const progress = progressDisplay(flags)(plan.input.frames, { label: 'assembling', frameRate: plan.input.frameRate });
  let done = 0;
  let chosen: ChosenSound | undefined;
  const run = {
    signal,
    onPicture: (picture: AssembledPicture) => {
      onPicture(picture);
      progress.update(++done, picture);
    },
  };
  try {
    const options = { overwrite, signal: interruption.abort, onLeftover: printWarning, onWarning: request.onNote };
    const chunks: StoredFile[] = [];
    for (const path of paths) chunks.push(await storedFile(path));
    chosen = await chooseSound(request, { input: plannedInput(plan), output }, interruption);
    const { sound } = chosen;
    const writer =
      output === '-'
        ? outputs.add(new StdoutWriter())
        : await outputs.addOpening('output', VideoWriter.open(output, plan.input, { ...options, sound }));
    const video = await assembleChunks(plan, chunks, writer, run);
    await outputs.finish();
    return { ...video, ...soundReport(chosen, { frames: writer.soundFrames, interrupted: false }, request) };
  } finally {
    progress.stop();
    await outputs.discard();
    await chosen?.sound?.close();
  }
}

function report({ input }: ChunkPlan, video: AssembledVideo & SoundReport): object {
  const { frames, bits, psnr, audio, audioNote } = video;
  const { width, height, frameRate } = input;
  return {
    frames,
    width,
    height,
    frameRate: frameRate.numerator / frameRate.denominator,
    bits,
    psnr: finitePsnrs(psnr),
    audio,
    audioNote,
  };
}
