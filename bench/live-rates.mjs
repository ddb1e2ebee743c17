// Measures how live encodes keep to their bit rate: the rate, the largest pictures, PSNR and how much that changes.
// Clips are played forwards and backwards; each has its own rate, by its size.
import { parseArgs } from 'node:util';
import { Encoder } from '../dist/package/index.js';
import { openFrameSource } from '../dist/package/node.js';
import { listClips, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/live-rates.mjs [--frames 250] [--gop 25] [--bits 0.26] [--buffer N] [--refresh columns]
       [--preset fast] [--clips NAME,NAME] [folder of clips]

  --bits    bits a pel; 0.26 is 2 Mbit/s at 640x480 and 25 frames a second
  --buffer  the decoder's buffer in pictures of the rate; default that of low latency
`;

const FPS = 25;
const VBV_UNIT_BYTES = 2048;
const CLIPS = 'akiyo_cif,coastguard_cif,foreman_cif_150,mobile_cif,basketballpass_416x240,bikes_640x272';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    frames: { type: 'string', default: '250' },
    gop: { type: 'string', default: '25' },
    bits: { type: 'string', default: '0.26' },
    buffer: { type: 'string' },
    refresh: { type: 'string', default: 'none' },
    preset: { type: 'string', default: 'fast' },
    clips: { type: 'string', default: CLIPS },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit();
}

/** The frames of a clip, forwards and backwards. */
async function* pingPong(path, count) {
  const source = await openFrameSource(path);
  const frames = [];
  for await (const frame of source.frames()) frames.push(frame);
  await source.close();
  const turn = 2 * frames.length - 2;
  for (let n = 0; n < count; n++) yield frames[n % turn < frames.length ? n % turn : turn - (n % turn)];
}

async function measure({ name, path }) {
  const reports = [];
  let encoder;
  let pictureBits = 0;
  let iterated;
  for await (const frame of pingPong(path, Number(values.frames))) {
    const { width, height } = frame;
    if (!encoder) {
      pictureBits = Number(values.bits) * width * height;
      const bufferBytes =
        values.buffer && Math.ceil((values.buffer * pictureBits) / 8 / VBV_UNIT_BYTES) * VBV_UNIT_BYTES;
      encoder = new Encoder({
        ...{ width, height, frameRate: FPS, latency: 'low', bitrate: Math.round(pictureBits * FPS) },
        ...{ gop: Number(values.gop), preset: values.preset, intraRefresh: values.refresh },
        ...(bufferBytes && { vbvBytes: bufferBytes }),
        estimator: 'cpu-predictive',
        onPicture: report => void reports.push(report),
      });
      iterated = (async () => {
        for await (const _ of encoder);
      })();
    }
    await encoder.add(frame);
  }
  await encoder.finish();
  await iterated;
  const { statistics } = encoder;
  const largest = type => Math.max(0, ...reports.filter(report => report.type === type).map(({ bits }) => bits));
  const changes = reports.slice(1).map(({ psnrY }, n) => Math.abs(psnrY - reports[n].psnrY));
  return {
    name,
    error: 100 * (statistics.bits / reports.length / pictureBits - 1),
    largestI: largest('I') / pictureBits,
    largestP: largest('P') / pictureBits,
    psnrY: statistics.psnr.y,
    change: changes.reduce((sum, change) => sum + change, 0) / changes.length,
  };
}

const rows = [];
for (const clip of listClips(positionals[0] ?? SEQUENCES, values.clips.split(','))) rows.push(await measure(clip));
const mean = rows.reduce((sum, { psnrY }) => sum + psnrY, 0) / rows.length;
const header = ['clip', 'rate', 'largest I', 'largest P', 'PSNR-Y', 'change a picture'];
const cells = rows.map(({ name, error, largestI, largestP, psnrY, change }) => [
  ...[name, `${fixed(error, 2)} %`, fixed(largestI, 1), fixed(largestP, 1), fixed(psnrY, 2), fixed(change, 2)],
]);
process.stdout.write(`${machineLine(describeMachine())}\n\n${table(header, cells)}\n\nmean PSNR-Y ${fixed(mean, 2)}\n`);
