// Takes coloured pels apart: a plane for each component.
import type { PatternKernels } from '../../kernels/contracts/pattern-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';

/** The definition of the kernel on components. */
export function referenceComponentKernels({ u8 }: KernelMemory): Pick<PatternKernels, 'splitComponents'> {
  return {
    splitComponents(planes, pels, count) {
      for (let i = 0; i < count; i++) {
        for (let component = 0; component < 3; component++) {
          u8[planes + component * count + i] = u8[pels + 3 * i + component];
        }
      }
    },
  };
}
