// The GPU adapters of this machine.
import type { AdapterReport } from '../../gpu/device/adapter-report.js';

export type { AdapterReport };

/** The adapters and what the drivers printed. Where they cannot be asked in a process of their own, this one does. */
export async function describeGpu(): Promise<{ gpu: AdapterReport; messages: readonly string[] }> {
  const { askDrivers } = await import('../../gpu/device/driver-answer.js');
  const answer = await askDrivers();
  if (answer) return { gpu: answer.report, messages: answer.messages };
  const { describeAdapters } = await import('../../gpu/device/adapters.js');
  return { gpu: await describeAdapters(), messages: [] };
}
