// Builds what runs, makes a sample film and encodes it, and says how to play it: `npm start`.
// Types are left to `npm run build`: tsc takes longer than all of this.
// The film is snow in a simulated wind where there is a GPU, and drawn snow elsewhere.
// `--frames N` makes a shorter film, `--to FOLDER` puts it somewhere else.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleForNode } from './bundle.mjs';
import { compile, compileAll } from './compile.mjs';
import { compileKernels } from './compile-kernels.mjs';
import { generateSources } from './generate-sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const FPS = 25;
const options = { frames: { type: 'string', default: '60' }, to: { type: 'string', default: '.' } };
const { frames, to } = parseArgs({ options }).values;
const FRAMES = join(to, 'samples', 'generated', 'snow');
const VIDEO = join(to, 'out.mpg');

const print = text => process.stdout.write(`${text}\n`);

/** Does a step of the work and says what it did, and how long it took. */
async function step(what, work) {
  const start = performance.now();
  await work();
  print(`  ${what.padEnd(62)}${((performance.now() - start) / 1000).toFixed(1).padStart(5)} s`);
}

/** Makes the film. Rejects with what the command says where that cannot be. */
async function makeFilm(kind) {
  await compile('samples', 'dist/samples');
  const args = ['dist/samples/make-samples.js', kind, FRAMES, '--size', '640x480', '--frames', frames];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  const words = child.stderr.setEncoding('utf8').toArray();
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error((await words).join('').trim());
}

/** Whether this machine may have a GPU; without one, the film need not wait for the bundle, which opens it. */
async function mayHaveGpu() {
  await compile('src', 'dist');
  const { surelyHasNoGpu } = await import('../dist/gpu/device/device-files.js');
  return !surelyHasNoGpu();
}

const program = [join('dist', 'package', 'mpegpu.js'), 'encode', FRAMES, '-o'];
const drawFilm = () => step(`a film of ${frames} frames in ${FRAMES}`, () => makeFilm('snow'));
let shown = 'snow that falls over disks, rings and stripes, which slide by';

print('Building');
await step('tables for assembly/, shaders and the viewer as strings', generateSources);
const waitsForGpu = await mayHaveGpu();
// Two processes, for the two cores that any machine has.
await Promise.all([
  step('assembly/ to WebAssembly, by AssemblyScript', compileKernels),
  waitsForGpu ? undefined : drawFilm(),
]);
await step('src/ to dist/, and to the bundle in dist/package/, by esbuild', () =>
  Promise.all([compileAll(), bundleForNode()]),
);
if (waitsForGpu) {
  try {
    await step(`a film of ${frames} frames in ${FRAMES}, on the GPU`, () => makeFilm('snow-wind'));
    shown = 'snow that falls on hills, in a simulated wind';
  } catch (error) {
    print(`  the simulated film is left out, and a drawn one made: ${error.message}`);
    await drawFilm();
  }
}

print(`\nmpegpu encode ${FRAMES} -o ${VIDEO} --overwrite`);
execFileSync(process.execPath, [...program, VIDEO, '--overwrite'], { cwd: root, stdio: 'inherit' });

print(`
${VIDEO} shows ${shown}: ${frames / FPS} seconds.
Play it with ffplay, mpv or VLC:
  ffplay -loop 0 ${VIDEO}
  mpv --loop ${VIDEO}
  vlc --repeat ${VIDEO}
In a web page, JSMpeg plays a transport stream:
  node ${program.join(' ')} ${join(to, 'out.ts')}`);
