// Whether Linux has a graphics device, without loading a driver.

/** Where Linux and its drivers put graphics devices: DRM, NVIDIA, WSL, Adreno, Mali. */
const DEVICE_FILES = ['/dev/dri', '/dev/nvidiactl', '/dev/nvidia0', '/dev/dxg', '/dev/kgsl-3d0', '/dev/mali0'];

/** What this needs of Node; absent in a browser, in part in older versions. */
export interface HostProcess {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly getBuiltinModule?: (name: 'node:fs') => { existsSync(path: string): boolean } | undefined;
}

/**
 * True where a machine surely has no GPU: Linux without any file of a graphics device, and no driver chosen by the
 * Vulkan loader's variables. Asking Dawn would cost 0.2 s, and it prints warnings on standard error by itself.
 */
export function surelyHasNoGpu(host = (globalThis as { process?: HostProcess }).process): boolean {
  if (host?.platform !== 'linux' || host.env.VK_ICD_FILENAMES || host.env.VK_DRIVER_FILES) return false;
  const files = host.getBuiltinModule?.('node:fs');
  return files !== undefined && !DEVICE_FILES.some(path => files.existsSync(path));
}
