// Describes this machine's WebGPU adapters as plain data.
import { UnsupportedError } from '../../errors.js';
import { adapterName, isSoftwareAdapter } from './adapter-choice.js';
import type { AdapterDescription, AdapterReport } from './adapter-report.js';
import { explainMissingAdapter, findGpu } from './machine-gpu.js';

/** How adapters are asked for; the first way is a search's. */
const CHOICES: readonly GPURequestAdapterOptions[] = [
  { powerPreference: 'high-performance' },
  { powerPreference: 'low-power' },
  { forceFallbackAdapter: true },
];

/**
 * The adapters, the one that a search would take first. Does not reject where WebGPU is missing: `reason` says so. With
 * `isFirstEnough`, others are left out where there is one for a search.
 */
export async function describeAdapters(gpu?: GPU, isFirstEnough = false): Promise<AdapterReport> {
  let entry: GPU;
  try {
    entry = gpu ?? (await findGpu());
  } catch (error) {
    if (error instanceof UnsupportedError) return { adapters: [], reason: error.message };
    throw error;
  }
  const adapters = new Map<string, AdapterDescription>();
  for (const choice of CHOICES) {
    if (isFirstEnough && adapters.size > 0) break;
    const adapter = await entry.requestAdapter(choice);
    if (!adapter) continue;
    const description = describeAdapter(adapter);
    const { vendor, architecture, device, description: text } = description;
    const key = [vendor, architecture, device, text].join('|');
    if (!adapters.has(key)) adapters.set(key, description);
  }
  const found = [...adapters.values()];
  return found.some(adapter => !adapter.software)
    ? { adapters: found }
    : { adapters: found, reason: explainMissingAdapter() };
}

function describeAdapter(adapter: GPUAdapter): AdapterDescription {
  const { info } = adapter;
  const limits: Record<string, number> = {};
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(adapter.limits)))) {
    const value = adapter.limits[name as keyof GPUSupportedLimits];
    if (typeof value === 'number') limits[name] = value;
  }
  return {
    name: adapterName(info),
    vendor: info.vendor,
    architecture: info.architecture,
    device: info.device,
    description: info.description,
    software: isSoftwareAdapter(info),
    features: [...adapter.features].sort(),
    limits,
  };
}
