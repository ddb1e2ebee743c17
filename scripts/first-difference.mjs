// Finds where two sequences first differ: `node scripts/first-difference.mjs recon.y4m decoded.y4m`.
// Prints the picture (display order), the plane, the macroblock's row and column, the pel in its plane and both values;
// the exit status is 1 when they differ.
import { openFrameSource } from '../dist/node.js';

const [ours, theirs] = process.argv.slice(2);
if (theirs === undefined) {
  console.error('usage: node scripts/first-difference.mjs ours.y4m theirs.y4m');
  process.exit(2);
}

/** The first differing pel of two frames, or undefined. */
function difference(a, b) {
  for (const plane of ['y', 'u', 'v']) {
    const at = a[plane].findIndex((pel, i) => pel !== b[plane][i]);
    if (at < 0) continue;
    const width = plane === 'y' ? a.width : (a.width + 1) >> 1;
    const side = plane === 'y' ? 16 : 8;
    const [x, y] = [at % width, Math.floor(at / width)];
    const macroblock = `macroblock row ${Math.floor(y / side)}, column ${Math.floor(x / side)}`;
    return `plane ${plane}, ${macroblock}, pel (${x}, ${y}): ${a[plane][at]}, not ${b[plane][at]}`;
  }
  return undefined;
}

/** What to print, and whether the sequences are the same. */
async function compare() {
  const [a, b] = await Promise.all([ours, theirs].map(path => openFrameSource(path)));
  if (a.width !== b.width || a.height !== b.height)
    return [`sizes differ: ${a.width}x${a.height}, ${b.width}x${b.height}`];
  const others = b.frames()[Symbol.asyncIterator]();
  let picture = 0;
  for await (const frame of a.frames()) {
    const other = await others.next();
    if (other.done) return [`${theirs} ends before picture ${picture}`];
    const found = difference(frame, other.value);
    if (found !== undefined) return [`picture ${picture}, ${found}`];
    picture++;
  }
  if (!(await others.next()).done) return [`${ours} ends before picture ${picture}`];
  return [`all ${picture} pictures are equal`, true];
}

const [line, same] = await compare();
console.log(line);
process.exitCode = same ? 0 : 1;
