// The GPU of a machine, by the package `webgpu` on Node. Browsers load page-gpu.ts in its place.
/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';
import { findAdapter, firstLineOf, noAdapter, onlySoftware } from './adapter-choice.js';
import { surelyHasNoGpu } from './device-files.js';
import { type EarlyAnswer, isUsable, quietWayFrom } from './early-answer.js';
import { findQuietWay, withVariables } from './quiet-drivers.js';

/**
 * Flags for Dawn: timestamps to the nanosecond, which it would round to 0.1 ms, about the time of a search; and
 * workgroup memory as it is, since our shaders read only what they have written there.
 */
const DAWN_FLAGS = ['disable-dawn-features=timestamp_quantization', 'enable-dawn-features=disable_workgroup_init'];

/** An adapter and its entry point, which must be kept as long as anything made from it. */
export interface FoundAdapter {
  readonly gpu: GPU;
  readonly adapter: GPUAdapter;
}

/**
 * The machine's WebGPU entry point. The caller must keep the object as long as anything made from it, since Dawn frees
 * its state with it. Rejects with `UnsupportedError` where the `webgpu` package is absent or does not load.
 */
export async function findGpu(): Promise<GPU> {
  const ready = navigatorGpu();
  if (ready) return ready;
  const packageName = 'webgpu'; // no literal in import(): bundlers for browsers would look for it
  let create: (flags: string[]) => GPU;
  try {
    ({ create } = (await import(packageName)) as { create: (flags: string[]) => GPU });
  } catch (error) {
    throw new UnsupportedError(explainMissingPackage(error));
  }
  try {
    return create(DAWN_FLAGS);
  } catch (error) {
    throw new UnsupportedError(`WebGPU does not start: ${firstLineOf(error)}`);
  }
}

function navigatorGpu(): GPU | undefined {
  return (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
}

/** The machine's entry points that a thread has made, the newest last: none may be freed before a device of it. */
export type KeptEntryPoints = GPU[];

/**
 * The fastest adapter of `given`, or of the machine; a software adapter only with `allowSoftware`. `early`: the
 * answer of the drivers, if another thread asks them. The last one `kept` is used, or a new one is added. Rejects with
 * `UnsupportedError`.
 */
export async function openAdapter(
  given: GPU | undefined,
  allowSoftware: boolean,
  early?: EarlyAnswer,
  kept: KeptEntryPoints = [],
): Promise<FoundAdapter> {
  if (!given && !allowSoftware && surelyHasNoGpu()) {
    throw new UnsupportedError('no GPU: this machine has no graphics device (no /dev/dri, no /dev/nvidia0)');
  }
  const earlier = given ? undefined : kept.at(-1);
  const gpu = given ?? earlier ?? (await findGpu());
  const isOwnDawn = !given && gpu !== navigatorGpu();
  if (isOwnDawn && !earlier) kept.push(gpu);
  try {
    const adapter = isOwnDawn
      ? await findAdapterQuietly(gpu, allowSoftware, early)
      : await findAdapter(gpu, allowSoftware, explainMissingAdapter);
    return { gpu, adapter };
  } catch (error) {
    if (!earlier) throw error;
    // A driver that has lost a device may find none by the entry point of that one.
    const another = await findGpu();
    kept.push(another);
    return { gpu: another, adapter: await findAdapterQuietly(another, allowSoftware) };
  }
}

/**
 * As `findAdapter`, but Dawn and the drivers print nothing: a process of its own asks them before. If that one gets no
 * usable adapter, they are not loaded in this process.
 */
async function findAdapterQuietly(gpu: GPU, allowSoftware: boolean, early?: EarlyAnswer): Promise<GPUAdapter> {
  const known = early && (await quietWayFrom(early));
  const { report, variables } = known ?? (await findQuietWay(answer => isUsable(answer, allowSoftware)));
  if (report && !isUsable(report, allowSoftware)) {
    const [first] = report.adapters;
    throw first ? onlySoftware(first.name, explainMissingAdapter) : noAdapter(report.reason ?? explainMissingAdapter());
  }
  return withVariables(variables, () => findAdapter(gpu, allowSoftware, explainMissingAdapter));
}

function explainMissingPackage(error: unknown): string {
  const code = (error as { code?: string }).code;
  const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return missing
    ? 'WebGPU is absent: the optional package "webgpu" is not installed (npm install webgpu@^0.6.2)'
    : `WebGPU is absent: the package "webgpu" does not load here (${firstLineOf(error)})`;
}

/** Why this machine has WebGPU but no GPU, and what to install. */
export function explainMissingAdapter(): string {
  const host = (globalThis as { process?: NodeProcess }).process;
  if (host?.platform !== 'linux' || !host.dlopen) return 'WebGPU offers no adapter here; update the graphics driver';
  try {
    host.dlopen({ exports: {} }, 'libvulkan.so.1');
  } catch (error) {
    // Node says "did not self-register" of a library that loads but is no addon. Other errors: it does not load.
    if (!/self-register/.test(firstLineOf(error))) {
      return `there is no Vulkan loader (${firstLineOf(error)}); install libvulkan1 (Debian, Ubuntu) or vulkan-loader (Fedora)`;
    }
  }
  return (
    'the Vulkan loader finds no driver that WebGPU accepts; install the Vulkan driver of the GPU (NVIDIA: its own driver; ' +
    'AMD, Intel: mesa-vulkan-drivers). Dawn refuses some, such as old versions of lavapipe; what it says is in ' +
    '`mpegpu devices --verbose`'
  );
}

interface NodeProcess {
  readonly platform: string;
  readonly dlopen?: (module: { exports: object }, path: string) => void;
}
