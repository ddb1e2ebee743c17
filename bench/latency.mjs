// Measures how long a live frame takes, from the frame to the last byte of its transport packets.
// 640x480 at 2 Mbit/s and a paced 25 frames a second, on one thread: in one process, and through the pipes of two
// programs.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Encoder } from '../dist/package/index.js';
import { containerForPath } from '../dist/package/node.js';
import { listClips, pingPongAsY4m, readY4m, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { MPEGPU, peerFfmpeg } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/latency.mjs [--presets fastest,fast,balanced] [--seconds 20] [--clip city_704x576] [--pipes] [--json]

  --clip   a clip of ../shared/sequences, scaled to 640x480 and played forwards and backwards
  --pipes  also both programs with y4m on standard input and a transport stream on standard output, by turns

Run it on one processor with taskset -c N.
`;

const SIZE = { width: 640, height: 480 };
const FPS = 25;
const FRAME_MS = 1000 / FPS;
const FRAME_RATE = { numerator: FPS, denominator: 1 };
const BIT_RATE = 2_000_000;
const GOP = 50;
/** Frames until code is compiled, which are not counted. */
const WARM_UP_FRAMES = FPS;
const TRANSPORT_PACKET_BYTES = 188;
const VIDEO_PID = 0x100;
/** ffmpeg with a buffer as large as that of `--latency low`, and with what its manual offers against delay. */
const FFMPEG_ARGS = [
  ...['-v', 'error', '-fflags', 'nobuffer', '-probesize', '32', '-f', 'yuv4mpegpipe', '-i', '-', '-threads', '1'],
  ...[
    '-c:v',
    'mpeg1video',
    '-strict',
    'unofficial',
    '-flags',
    'low_delay',
    '-bf',
    '0',
    '-g',
    `${GOP}`,
    '-b:v',
    `${BIT_RATE}`,
  ],
  ...['-maxrate', `${BIT_RATE}`, '-bufsize', `${(4 * BIT_RATE) / FPS}`],
  ...['-f', 'mpegts', '-flush_packets', '1', '-muxdelay', '0', '-muxpreload', '0', '-'],
];

/** Calls `give(n)` for each frame when its time comes; one that is late, because the last took longer, at once. */
async function paced(frames, give) {
  const start = performance.now();
  for (let n = 0; n < frames; n++) {
    const dueMs = start + n * FRAME_MS;
    while (performance.now() < dueMs) await delay(Math.max(0, dueMs - performance.now() - 1));
    await give(n, dueMs);
  }
}

/** Frames in, transport packets out, all in this process. */
async function measureHere(frames, count, preset) {
  const encoder = new Encoder({
    ...SIZE,
    ...{ frameRate: FRAME_RATE, latency: 'low', bitrate: BIT_RATE, gop: GOP, preset, estimator: 'cpu-predictive' },
  });
  const { writer } = containerForPath('live.ts', { ...SIZE, frameRate: FRAME_RATE });
  const given = [];
  const out = [];
  const taken = (async () => {
    for await (const unit of encoder) {
      writer.write(unit);
      out.push(performance.now());
    }
  })();
  const cpu = [];
  await paced(count, async (n, dueMs) => {
    const before = process.cpuUsage();
    given.push({ ms: performance.now(), dueMs });
    await encoder.add(frames[n % frames.length]);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  });
  await encoder.finish();
  await taken;
  const sorted = cpu.slice(WARM_UP_FRAMES).toSorted((a, b) => a - b);
  const cpuFigures = { cpuMedianMs: part(sorted, 0.5), cpuP95Ms: part(sorted, 0.95) };
  return { ...figures(given, out), ...cpuFigures, psnrY: encoder.statistics.psnr.y };
}

/** Frames to the standard input of a program, packets from its standard output. */
async function measurePipe(program, args, frames, count) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const given = [];
  const out = unitTimes(child.stdout);
  child.stdin.write(`YUV4MPEG2 W${SIZE.width} H${SIZE.height} F${FPS}:1 Ip A1:1 C420jpeg\n`);
  const planes = frames.map(({ y, u, v }) => Buffer.concat([Buffer.from('FRAME\n'), y, u, v]));
  await delay(1000); // the programs have started
  await paced(count, async (n, dueMs) => {
    given.push({ ms: performance.now(), dueMs });
    if (!child.stdin.write(planes[n % planes.length])) await new Promise(done => child.stdin.once('drain', done));
  });
  child.stdin.end();
  await new Promise(done => child.once('close', done));
  return figures(given, out);
}

/** When the last byte of each picture has come out of a transport stream; filled as it comes. */
function unitTimes(stream) {
  const times = [];
  let rest = Buffer.alloc(0);
  stream.on('data', bytes => {
    const ms = performance.now();
    const packets = Buffer.concat([rest, bytes]);
    let at = 0;
    for (; at + TRANSPORT_PACKET_BYTES <= packets.length; at += TRANSPORT_PACKET_BYTES) {
      const pid = packets.readUInt16BE(at + 1) & 0x1fff;
      if (pid !== VIDEO_PID) continue;
      if (packets[at + 1] & 0x40) times.push(ms);
      else times[times.length - 1] = ms;
    }
    rest = packets.subarray(at);
  });
  return times;
}

/** Percentiles in milliseconds. `behind`: the most frames that had come, each at its time, when one was out. */
function figures(given, out) {
  // ffmpeg 5.1 does not write the last picture.
  if (out.length < given.length - 1) throw new Error(`${given.length} frames gave ${out.length} pictures`);
  const latencies = out.map((ms, n) => ms - given[n].ms).slice(WARM_UP_FRAMES);
  const behind = out.map((ms, n) => Math.floor((ms - given[n].dueMs) / FRAME_MS)).slice(WARM_UP_FRAMES);
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    ...{ frames: sorted.length, firstMs: out[0] - given[0].ms },
    ...{ medianMs: part(sorted, 0.5), p95Ms: part(sorted, 0.95), p99Ms: part(sorted, 0.99), maxMs: sorted.at(-1) },
    behind: Math.max(...behind),
  };
}

/** The value below which this part of sorted values lies. */
function part(sorted, below) {
  return sorted[Math.min(sorted.length - 1, Math.floor(below * sorted.length))];
}

const { values } = parseArgs({
  options: {
    presets: { type: 'string', default: 'fastest,fast,balanced' },
    seconds: { type: 'string', default: '20' },
    clip: { type: 'string', default: 'city_704x576' },
    pipes: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit();
}
const [clip] = listClips(SEQUENCES, [values.clip]);
// Forwards and backwards once: the end is followed by the start without a cut.
const { frames } = readY4m(await pingPongAsY4m(clip, { ...SIZE, frames: 66 }));
const count = WARM_UP_FRAMES + FPS * Number(values.seconds);
const rows = [];
for (const preset of values.presets.split(',')) {
  rows.push({ what: `library, ${preset}`, ...(await measureHere(frames, count, preset)), load: loadavg()[0] });
}
if (values.pipes) {
  for (const preset of values.presets.split(',')) {
    const live = ['--latency', 'low', '--target', 'jsmpeg', '--bitrate', `${BIT_RATE}`, '--gop', `${GOP}`];
    const args = [MPEGPU, 'encode', '-', '-o', '-', ...live, '--preset', preset, '--estimator', 'cpu-predictive'];
    const ours = await measurePipe(process.execPath, args, frames, count);
    rows.push({ what: `pipes, mpegpu, ${preset}`, ...ours, load: loadavg()[0] });
    const peer = await measurePipe(peerFfmpeg(), FFMPEG_ARGS, frames, count);
    rows.push({ what: 'pipes, ffmpeg', ...peer, load: loadavg()[0] });
  }
}
const machine = describeMachine();
if (values.json) process.stdout.write(`${JSON.stringify({ machine, rows }, undefined, 2)}\n`);
else {
  const header = ['', 'median', '95 %', '99 %', 'max', '95 % / frame', 'behind', 'CPU', 'CPU, 95 %', 'PSNR-Y', 'load'];
  const cells = rows.map(row => [
    row.what,
    ...[row.medianMs, row.p95Ms, row.p99Ms, row.maxMs].map(ms => fixed(ms, 1)),
    fixed(row.p95Ms / FRAME_MS, 2),
    row.behind,
    ...[row.cpuMedianMs, row.cpuP95Ms, row.psnrY].map(value => (value === undefined ? '' : fixed(value, 1))),
    fixed(row.load, 1),
  ]);
  process.stdout.write(
    `${machineLine(machine)}\n\n${table(header, cells)}\n\nTimes in ms; CPU is the time of it that a frame takes.\n`,
  );
}
