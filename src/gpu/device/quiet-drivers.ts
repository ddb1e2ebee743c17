// Finds environment variables under which the graphics drivers of this machine print nothing.
import type { AdapterReport } from './adapter-report.js';
import { askDrivers, type Variables } from './driver-answer.js';
import { type DriverFilesHost, driverFiles } from './driver-files.js';

/** A folder that does not exist. Mesa looks there for a Wayland display, and complains only if it has no folder. */
const NO_FOLDER = '/nonexistent';

/** How to load the drivers in this process. */
export interface QuietWay {
  /** The adapters; undefined where the drivers could not be asked. */
  readonly report?: AdapterReport;
  /** Environment variables to set while the drivers are loaded. */
  readonly variables: Variables;
}

/**
 * Asks the drivers in processes of their own until they print nothing. First XDG_RUNTIME_DIR is mended and Mesa's log
 * sent away. If that is not enough, the driver of the GPU is loaded without the others, which complain of GPUs that are
 * not used. If the driver itself prints, the way with the fewest lines is taken. `isUsable` tells whether the adapters
 * are wanted at all: if not, the first answer is enough.
 */
export async function findQuietWay(
  isUsable: (report: AdapterReport) => boolean,
  ask = (variables: Variables) => askDrivers(variables, true),
  host = (globalThis as { process?: DriverFilesHost }).process,
): Promise<QuietWay> {
  if (!host) return { variables: {} };
  const calm = calmVariables(host);
  const first = await ask(calm);
  if (!first) return { variables: calm };
  const { report } = first;
  if (first.messages.length === 0 || !isUsable(report)) return { report, variables: calm };
  const [gpu] = report.adapters;
  let [fewest, best] = [first.messages.length, calm];
  for (const file of driverFiles(host, gpu?.vendor ?? '')) {
    const variables = { ...calm, VK_DRIVER_FILES: file, VK_ICD_FILENAMES: file };
    const answer = await ask(variables);
    if (!answer || answer.report.adapters[0]?.name !== gpu?.name || answer.messages.length >= fewest) continue;
    [fewest, best] = [answer.messages.length, variables];
    if (fewest === 0) break;
  }
  return { report, variables: best };
}

/** The result of `load`, which loads the drivers before it returns, with these environment variables set meanwhile. */
export function withVariables<T>(variables: Variables, load: () => T): T {
  const entries = Object.entries(variables);
  if (entries.length === 0) return load();
  const { env } = process;
  const before = entries.map(([name]) => [name, env[name]] as const);
  for (const [name, value] of entries) env[name] = value;
  try {
    return load();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete env[name];
      else env[name] = value;
    }
  }
}

function calmVariables({ env }: DriverFilesHost): Variables {
  return {
    ...(env['XDG_RUNTIME_DIR']?.startsWith('/') ? {} : { XDG_RUNTIME_DIR: NO_FOLDER }),
    ...(env['MESA_LOG_FILE'] ? {} : { MESA_LOG_FILE: '/dev/null' }),
  };
}
