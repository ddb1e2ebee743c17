// Opens HTML pages in a headless Chromium.
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './requirements.js';

/** For WebGPU on a software GPU, which compiles shaders as in test/gpu/test-gpu.ts. */
export const SOFTWARE_GPU = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-dawn-features=disable_workgroup_init,disable_robustness,disable_polyfills_on_integer_div_and_mod',
];

/** How to launch a Chromium. */
export interface ChromiumOptions {
  /** Whether it has WebGPU on a software GPU; false by default. */
  readonly gpu?: boolean;
  /** Further arguments. */
  readonly args?: readonly string[];
}

/** A headless Chromium; close it after the tests. */
export function launchChromium({ gpu = false, args = [] }: ChromiumOptions = {}): Promise<Browser> {
  const all = ['--no-sandbox', '--disable-gpu', ...(gpu ? SOFTWARE_GPU : []), ...args];
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: all });
}
