// The GPU of a search thread, from one of its works to the next.
/// <reference types="@webgpu/types" />
import type { ThisThreadOptions } from '../this-thread.js';

/** What the estimators of a thread are given. */
export type KeptGpu = NonNullable<ThisThreadOptions['keptGpu']>;
type CheckedGpu = Parameters<KeptGpu['giveBack']>[0];

/** Keeps the device that nobody uses open. It ends with the thread, or with the process. */
export class ThreadGpu implements KeptGpu {
  readonly entryPoints: GPU[] = [];
  #idle: CheckedGpu | undefined;

  take(allowSoftware: boolean): CheckedGpu | undefined {
    const idle = this.#idle;
    this.#idle = undefined;
    if (!idle || (idle.gpu.fault === undefined && (allowSoftware || !idle.gpu.software))) return idle;
    void idle.gpu.close();
    return undefined;
  }

  async giveBack(checked: CheckedGpu): Promise<void> {
    const { gpu } = checked;
    gpu.onFault = () => {};
    if (gpu.fault === undefined && !this.#idle) this.#idle = checked;
    else await gpu.close();
  }
}
