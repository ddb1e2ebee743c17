// A radix sort in WebAssembly for bench/sort.mjs. Compiles bench/assembly/radix-sort.ts to dist/bench/ if need be.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = `${ROOT}bench/assembly/radix-sort.ts`;
const MODULE = `${ROOT}dist/bench/radix-sort.wasm`;
const COUNTS_BYTES = 3 * 2048 * 4;

function compile() {
  if (existsSync(MODULE) && statSync(MODULE).mtimeMs >= statSync(SOURCE).mtimeMs) return;
  mkdirSync(`${ROOT}dist/bench`, { recursive: true });
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory'];
  const compiler = `${ROOT}node_modules/assemblyscript/bin/asc.js`;
  execFileSync(process.execPath, [compiler, SOURCE, '--outFile', MODULE, ...options], { cwd: ROOT, stdio: 'inherit' });
}

/** A function that sorts up to `maxItems` items: `sort(keys, values)` returns views of the sorted arrays. */
export async function createRadixSort(maxItems) {
  compile();
  const arrayBytes = 4 * maxItems;
  const pages = Math.ceil((COUNTS_BYTES + 4 * arrayBytes) / 65536) + 1;
  const memory = new WebAssembly.Memory({ initial: pages });
  const { instance } = await WebAssembly.instantiate(readFileSync(MODULE), { env: { memory } });
  const [counts, keys, values, otherKeys, otherValues] = [0, 1, 2, 3, 4].map(
    index => 65536 - COUNTS_BYTES + (index === 0 ? 0 : COUNTS_BYTES + (index - 1) * arrayBytes),
  );
  return (givenKeys, givenValues) => {
    const { length } = givenKeys;
    new Uint32Array(memory.buffer, keys, length).set(givenKeys);
    new Uint32Array(memory.buffer, values, length).set(givenValues);
    instance.exports.sort(keys, values, otherKeys, otherValues, counts, length);
    return {
      keys: new Uint32Array(memory.buffer, otherKeys, length),
      values: new Uint32Array(memory.buffer, otherValues, length),
    };
  };
}
