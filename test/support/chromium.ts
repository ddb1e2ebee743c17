// Opens HTML pages in a headless Chromium.
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './requirements.js';

/** WebGPU on a software GPU, which compiles shaders without the code that fills workgroup memory with zeros. */
const SOFTWARE_GPU = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-dawn-features=disable_workgroup_init',
];

/** A headless Chromium, with `gpu` one that has WebGPU on a software GPU; close it after the tests. */
export function launchChromium({ gpu = false }: { gpu?: boolean } = {}): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', ...(gpu ? SOFTWARE_GPU : [])];
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args });
}
