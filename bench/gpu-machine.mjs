// Describes the machine of a benchmark that needs a GPU and nothing else: no ffmpeg, no history.
import { cpus } from 'node:os';
import { describeAdapters } from '../dist/gpu/gpu-estimators.js';

/** The machine and its first adapter. Throws where there is none, with the reason. */
export async function describeGpuMachine() {
  const { adapters, reason } = await describeAdapters();
  const [adapter] = adapters;
  if (!adapter) throw new Error(reason);
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    gpu: adapter.name,
    driver: adapter.description,
    software: adapter.software,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    node: process.version,
  };
  return { machine, adapter };
}

/** The machine in one line. */
export function gpuMachineLine({ date, gpu, driver, software, cpu, cores, node }) {
  return `${date}, ${gpu}${software ? ' (software)' : ''}, ${driver}, ${cpu}, ${cores} cores, node ${node}`;
}
