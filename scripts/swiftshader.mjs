// A Vulkan device made of CPU code for the GPU tests; needs neither root nor a system package.
// Made from the npm package @sparticuz/chromium. `swiftshaderEnvironment()` unpacks it once and returns the variables
// that a process must be started with: the loader reads them when it starts, so setting them later has no effect.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const WANTED = ['libvk_swiftshader.so', 'libvulkan.so.1', 'vk_swiftshader_icd.json'];
const root = fileURLToPath(new URL('..', import.meta.url));

/** The variables to add, none where the machine is not a Linux that the binaries are for (x86-64). */
export function swiftshaderEnvironment() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return {};
  const folder = join(root, 'node_modules', '.cache', 'swiftshader');
  if (!existsSync(folder)) unpack(folder);
  const libraries = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return { VK_ICD_FILENAMES: join(folder, 'vk_swiftshader_icd.json'), LD_LIBRARY_PATH: libraries };
}

function unpack(folder) {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const packageFolder = entry.slice(
    0,
    entry.lastIndexOf(join('@sparticuz', 'chromium')) + '@sparticuz/chromium'.length,
  );
  const tar = brotliDecompressSync(readFileSync(join(packageFolder, 'bin', 'swiftshader.tar.br')));
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  for (const { name, bytes } of tarFiles(tar)) if (WANTED.includes(name)) writeFileSync(join(temporary, name), bytes);
  for (const name of WANTED) {
    if (!existsSync(join(temporary, name))) throw new Error(`${packageFolder} holds no ${name}`);
  }
  mkdirSync(dirname(folder), { recursive: true });
  try {
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true });
    if (!existsSync(folder)) throw error; // otherwise another process was faster
  }
}

/** The plain files of a tar archive (POSIX ustar: 512-byte headers; name at 0, octal size at 124, type at 156). */
function* tarFiles(tar) {
  const text = (start, length) => tar.toString('latin1', start, start + length).replace(/\0.*$/s, '');
  for (let header = 0; header + 512 <= tar.length && tar[header] !== 0; ) {
    const size = Number.parseInt(text(header + 124, 12), 8);
    const type = text(header + 156, 1);
    if (type === '' || type === '0') {
      yield { name: text(header, 100).replace(/^\.\//, ''), bytes: tar.subarray(header + 512, header + 512 + size) };
    }
    header += 512 + 512 * Math.ceil(size / 512);
  }
}
