// `mpegpu devices`: what this machine offers.

import { cpus } from 'node:os';
import { counted } from '../../counted.js';
import { UnsupportedError } from '../../errors.js';
import { kernelSetName } from '../../kernels/select-kernels.js';
import { simdIsAvailable } from '../../kernels/simd-kernels.js';
import { describeFfmpeg, type FfmpegDescription } from '../../media/find-ffmpeg.js';
import type { EstimatorParameters } from '../../motion/estimator.js';
import { type ChosenEstimator, createEstimator } from '../../motion/registry.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { writeStandardOutput } from '../standard-output.js';
import { type AdapterReport, describeGpu } from './describe-gpu.js';

/** The search that `auto` is tried with. */
const TRIAL: EstimatorParameters = {
  width: 640,
  height: 480,
  metric: 'sad',
  blockSize: 16,
  range: { x: 64, y: 32 },
  candidatesPerBlock: 4,
  lambda: 0,
};

/** The limits of a GPU that matter to a search; `--json` has all of them. */
const COMPUTE_LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupsPerDimension',
];

/** Something that was found, or the reason why it was not. */
type Found<T> = T | { readonly reason: string };

interface DeviceReport {
  readonly cpu: { readonly model: string; readonly threads: number };
  readonly kernels: { readonly simd: boolean; readonly used: string };
  readonly ffmpeg: Found<FfmpegDescription>;
  readonly gpu: AdapterReport;
  readonly auto: Found<{
    readonly estimator: string;
    readonly device: string;
    readonly passedOver: ChosenEstimator['passedOver'];
  }>;
  /** What Dawn, the Vulkan loader and the drivers printed; with `--verbose` only. */
  readonly driverMessages?: readonly string[];
}

/** Runs `mpegpu devices`. */
export async function devices({ json, verbose = false }: FlagsOf<'devices'>): Promise<void> {
  const report = await describeDevices(verbose);
  await writeStandardOutput(json ? `${JSON.stringify(report)}\n` : devicesText(report));
}

async function describeDevices(verbose: boolean): Promise<DeviceReport> {
  const processors = cpus();
  const { gpu, messages } = await describeGpu();
  return {
    cpu: { model: processors[0]?.model.trim() ?? 'unknown', threads: processors.length },
    kernels: { simd: simdIsAvailable(), used: kernelSetName() },
    ffmpeg: await found(() => describeFfmpeg()),
    gpu,
    auto: await found(tryAuto),
    ...(verbose ? { driverMessages: messages } : {}),
  };
}

async function tryAuto() {
  const { estimator, passedOver } = await createEstimator('auto', TRIAL);
  const { traits, device } = estimator;
  await estimator.close();
  return { estimator: traits.name, device, passedOver };
}

async function found<T>(look: () => Promise<T>): Promise<Found<T>> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof UnsupportedError) return { reason: error.message };
    throw error;
  }
}

function devicesText({ cpu, kernels, ffmpeg, gpu, auto, driverMessages }: DeviceReport): string {
  return [
    `CPU      ${cpu.model}, ${counted(cpu.threads, 'thread')}`,
    `kernels  ${kernels.used}; WebAssembly SIMD is ${kernels.simd ? 'available' : 'not available'}`,
    `ffmpeg   ${'reason' in ffmpeg ? `none: ${ffmpeg.reason}` : ffmpegText(ffmpeg)}`,
    ...gpuLines(gpu),
    ...(driverMessages?.length === 0 ? ['drivers  print nothing'] : []),
    ...(driverMessages ?? []).map((message, i) => `${i === 0 ? 'drivers' : '       '}  ${message}`),
    ...('reason' in auto
      ? [`auto     none: ${auto.reason}`]
      : [
          `auto     ${auto.estimator} (${auto.device})`,
          ...auto.passedOver.map(({ name, reason }) => `         not ${name}: ${reason.replace(`${name}: `, '')}`),
        ]),
    '',
  ].join('\n');
}

function ffmpegText({ path, from, version, year }: FfmpegDescription): string {
  const origin = { FFMPEG_PATH: 'named by FFMPEG_PATH', PATH: 'on PATH', npm: 'installed by npm' }[from];
  return `${path} (${version}), ${origin}${year === undefined ? '' : `, of ${year}`}`;
}

function gpuLines({ adapters, reason }: AdapterReport): string[] {
  return [
    ...adapters.flatMap(({ name, software, features, limits }) => [
      `GPU      ${name}${software ? ' (software; used only when a GPU estimator is asked for by name)' : ''}`,
      `         features: ${features.join(', ') || 'none'}`,
      `         limits:   ${COMPUTE_LIMITS.map(limit => `${limit} ${limits[limit]}`).join(', ')}`,
    ]),
    ...(reason === undefined ? [] : [`GPU      ${adapters.length === 0 ? 'none' : 'no other'}: ${reason}`]),
  ];
}
