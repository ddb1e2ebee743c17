// One encode that a signal meets at some moment, and what has to hold of it afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MPEGPU, peerFfmpeg } from './processes.mjs';

const OLD = 'an older file';
/** How long an encode may live after its last signal. A watchdog: it takes a second at most on an idle machine. */
const MAX_LIFE_MS = 120_000;
/** Signals that a shell reports as 128 plus their number. */
const INTERRUPTED = 130;

/**
 * Runs the case in an empty folder. Resolves to what became of it: `outcome` is `complete`, `partial`, `nothing` or
 * `torn` (some outputs complete, others not), `faults` lists what must not be.
 */
export async function runSignalCase(job, folder, clip) {
  const paths = outputPaths(job, folder);
  if (job.older) for (const path of Object.values(paths)) writeFileSync(path, OLD);
  const run = await runWithSignals(encodeArguments(job, paths, clip), job, clip);
  const faults = [...faultsOfEnd(run, job), ...(await faultsOfProcesses(folder))];
  const { outcome, found } = outcomeOf(job, paths, run, clip);
  faults.push(...found);
  const hidden = hiddenFiles(folder);
  if (job.kind === 'KILL') faults.push(...(await faultsOfNextRun(job, paths, folder, clip, hidden)));
  else if (hidden.length > 0) faults.push(`hidden files: ${hidden.join(', ')}`);
  return { outcome, faults, hidden: hidden.length, seconds: run.seconds, status: run.status ?? run.signal };
}

function outputPaths({ ending, recon, vectors }, folder) {
  return {
    video: join(folder, `out${ending}`),
    ...(recon && { recon: join(folder, 'out.y4m') }),
    ...(vectors && { vectors: join(folder, 'out.jsonl') }),
  };
}

function encodeArguments({ stdin, older, threads, estimator }, { video, recon, vectors }, clip) {
  return [
    ...['encode', stdin ? '-' : clip.path, '-o', video, '--quiet', '--q', '6', '--gop', '6'],
    ...['--estimator', estimator, '--threads', String(threads)],
    ...(recon ? ['--recon', recon] : []),
    ...(vectors ? ['--vectors', vectors] : []),
    ...(older ? ['--overwrite'] : []),
  ];
}

/** Starts an encode, sends it the signals of the job, and resolves when it has ended. */
function runWithSignals(args, { stdin, signals, group }, clip) {
  const begin = performance.now();
  const child = spawn(process.execPath, [MPEGPU, ...args], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.resume();
  child.stderr.on('data', bytes => {
    text += bytes;
  });
  child.stdin.on('error', () => {});
  if (!stdin) child.stdin.end();
  else {
    // The last part keeps the encode waiting, as a slow camera would.
    child.stdin.write(clip.bytes.subarray(0, Math.floor(clip.bytes.length * 0.9)));
    setTimeout(() => child.stdin.end(clip.bytes.subarray(Math.floor(clip.bytes.length * 0.9))), stdin.pauseMs).unref();
  }
  const timers = signals.map(({ name, atMs }) => setTimeout(send, atMs, child, name, group));
  const last = Math.max(0, ...signals.map(({ atMs }) => atMs), stdin?.pauseMs ?? 0);
  let hung = false;
  timers.push(
    setTimeout(() => {
      hung = true;
      send(child, 'SIGKILL', true);
    }, last + MAX_LIFE_MS),
  );
  return new Promise(resolve => {
    child.on('close', (status, signal) => {
      for (const timer of timers) clearTimeout(timer);
      const seconds = (performance.now() - begin) / 1000;
      resolve({ status, signal, text, hung, seconds });
    });
  });
}

/** As `kill` does to one process, or as a terminal does to all processes in front. */
function send(child, name, group) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(group ? -child.pid : child.pid, name);
  } catch {
    // It has ended in this moment.
  }
}

/** What is wrong with the exit status and with what was printed. */
function faultsOfEnd({ status, signal, text, hung }, { signals }) {
  if (hung) return ['it did not end'];
  const faults = [];
  const sent = signals.map(({ name }) => name);
  // A signal before the command listens, or after, ends the process as it would end any other.
  const isRight = status === 0 || status === INTERRUPTED || signal === 'SIGINT' || sent.includes(signal);
  if (!isRight) faults.push(`exit status ${status ?? signal}`);
  const strange = text.split('\n').filter(line => line !== '' && !line.startsWith('mpegpu: '));
  if (strange.length > 0) faults.push(`standard error: ${strange.join(' | ')}`);
  return faults;
}

/** Programs that the encode has started and left. After SIGKILL ffmpeg ends by itself: it is waited for. */
async function faultsOfProcesses(folder) {
  let left = [];
  for (let round = 0; round < 50; round++) {
    left = processesOf(folder);
    if (left.length === 0) return [];
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return [`still running: ${left.join(', ')}`];
}

function processesOf(folder) {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc').filter(name => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false; // it has ended
    }
  });
}

const hiddenFiles = folder => readdirSync(folder).filter(name => name.startsWith('.'));

/** Whether the outputs are complete, partial, old or absent, all in the same way. */
function outcomeOf(job, paths, { status, text }, clip) {
  const states = Object.values(paths).map(path => stateOf(path));
  const kept = /interrupted after (\d+) frames?/.exec(text)?.[1];
  const found = [];
  const partials = Object.fromEntries(Object.entries(paths).map(([kind, path]) => [kind, `${path}.partial`]));
  const partialStates = Object.values(partials).map(path => stateOf(path));
  const isTorn = new Set(states).size > 1 || new Set(partialStates).size > 1;
  if (isTorn) {
    if (job.kind !== 'KILL') found.push(`outputs ${states}, partial ones ${partialStates}`);
    return { outcome: 'torn', found };
  }
  if (states[0] === 'new') {
    if (partialStates[0] !== 'absent') found.push('complete and partial');
    return { outcome: 'complete', found: [...found, ...faultsOfOutputs(paths, clip.frames)] };
  }
  if (states[0] !== (job.older ? 'old' : 'absent')) found.push(`outputs are ${states[0]}`);
  if (status === 0) found.push('exit status 0 without outputs');
  if (partialStates[0] === 'absent') {
    if (kept !== undefined) found.push('no .partial');
    return { outcome: 'nothing', found };
  }
  if (kept === undefined && job.kind !== 'KILL') found.push('.partial without a word');
  return { outcome: 'partial', found: [...found, ...faultsOfOutputs(partials, kept && Number(kept))] };
}

function stateOf(path) {
  if (!existsSync(path)) return 'absent';
  return readFileSync(path).subarray(0, OLD.length).toString('latin1') === OLD ? 'old' : 'new';
}

/** Decodes the video; compares the number of frames with what was said, and the pels with the reconstruction. */
function faultsOfOutputs({ video, recon, vectors }, frames) {
  const faults = [];
  // A transport stream of a few packets is too short for ffmpeg to guess what it is.
  const format = video.includes('.ts') ? ['-f', 'mpegts'] : [];
  const decoding = ['-v', 'error', ...format, '-i', `file:${video}`, '-f', 'yuv4mpegpipe', '-pix_fmt', 'yuv420p'];
  const sync = ['-vsync', 'passthrough', '-'];
  const { status, stdout, stderr } = spawnSync(peerFfmpeg(), [...decoding, ...sync], { maxBuffer: 2 ** 28 });
  if (status !== 0) return [`ffmpeg: ${stderr}`];
  const shown = y4mFrames(stdout);
  if (frames !== undefined && shown.length !== frames) faults.push(`${video}: ${shown.length} frames, not ${frames}`);
  if (recon) {
    const coded = y4mFrames(readFileSync(recon));
    const equal = coded.length === shown.length && coded.every((frame, i) => frame.equals(shown[i]));
    if (!equal) faults.push(`${recon} has ${coded.length} frames, which are not those of ${video}`);
  }
  if (vectors) {
    const lines = readFileSync(vectors, 'utf8').trimEnd().split('\n');
    if (lines.map(line => JSON.parse(line)).length !== shown.length) faults.push(`${vectors}: ${lines.length} lines`);
  }
  return faults;
}

/** The planes of each frame of a y4m whose lines have no parameters. */
function y4mFrames(bytes) {
  const header = bytes.subarray(0, bytes.indexOf(10)).toString('latin1');
  const [width, height] = [/ W(\d+)/, / H(\d+)/].map(word => Number(word.exec(header)[1]));
  const frameBytes = width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  const frames = [];
  for (let at = header.length + 1; at < bytes.length; at += frameBytes) {
    at += 'FRAME\n'.length;
    frames.push(bytes.subarray(at, at + frameBytes));
  }
  return frames;
}

/** After SIGKILL the next run names the hidden files, removes them and completes the outputs. */
async function faultsOfNextRun(job, paths, folder, clip, hidden) {
  const args = encodeArguments({ ...job, stdin: undefined, older: true }, paths, clip);
  const { status, text } = await runWithSignals(args, { signals: [] }, clip);
  const left = hiddenFiles(folder);
  return [
    ...(status === 0 ? [] : [`the next run: exit status ${status}: ${text}`]),
    ...(left.length === 0 ? [] : [`after the next run: ${left.join(', ')}`]),
    ...hidden.filter(name => !text.includes(name)).map(name => `the next run does not name ${name}`),
    ...(status === 0 ? faultsOfOutputs(paths, clip.frames) : []),
  ];
}
