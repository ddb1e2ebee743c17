// The answer of the graphics drivers as text: one thread asks, and another one opens the GPU.
import type { AdapterReport } from './adapter-report.js';
import { findQuietWay, type QuietWay } from './quiet-drivers.js';

/** What another thread is told where the drivers could not be asked. */
export const NO_ANSWER = 'null';

/** Text that another thread gives. */
export interface EarlyAnswer {
  /** The text, once it is there. */
  taken(): Promise<string>;
}

/** Whether a search can take the first of the adapters. */
export function isUsable({ adapters: [first] }: AdapterReport, allowSoftware: boolean): boolean {
  return first !== undefined && (allowSoftware || !first.software);
}

/** Asks the drivers; the text is for `quietWayFrom`. Never rejects. */
export async function driversAnswer(allowSoftware: boolean): Promise<string> {
  try {
    return JSON.stringify(await findQuietWay(report => isUsable(report, allowSoftware)));
  } catch {
    return NO_ANSWER;
  }
}

/** Whether an answer tells of an adapter that a search can take. */
export function tellsOfGpu(answer: string, allowSoftware: boolean): boolean {
  const report = (JSON.parse(answer) as QuietWay | null)?.report;
  return report !== undefined && isUsable(report, allowSoftware);
}

/** How to load the drivers; null: they must be asked again. */
export async function quietWayFrom(answer: EarlyAnswer): Promise<QuietWay | null> {
  return JSON.parse(await answer.taken()) as QuietWay | null;
}
