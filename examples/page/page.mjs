// Encodes a video file for download, and a camera for JSMpeg in the same page.
import JSMpeg from '@seydx/jsmpeg';
import { ALL_FORMATS, BlobSource, Input } from 'mediabunny';
import { encodeVideo } from 'mpegpu/browser';
import { samplesOf } from './film-samples.mjs';
import { sourceOf } from './stream-source.mjs';

const element = id => document.getElementById(id);

/** The file as .mpg. mediabunny's samples are decoded by WebCodecs as the encoder takes them. */
async function convert(file) {
  const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error(`${file.name} has no video`);
  if (!(await track.canDecode())) throw new Error(`this browser does not decode ${track.codec ?? 'its codec'}`);
  const seconds = await input.computeDuration();
  const progress = element('progress');
  progress.hidden = false;
  const onTime = time => {
    progress.value = time / seconds;
  };
  const video = encodeVideo(timed(samplesOf(track), onTime), { quality: 60 });
  const blob = await video.blob();
  progress.value = 1;
  return { blob, summary: await video.finished };
}

/** The same samples. `onTime` is told the time of each, in seconds. */
async function* timed(samples, onTime) {
  for await (const sample of samples) {
    onTime(sample.timestamp);
    yield sample;
  }
}

/** Offers a file for download. */
function download(blob, name) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

element('file').addEventListener('change', async event => {
  const [file] = event.target.files;
  if (!file) return; // the choice was cleared
  const result = element('result');
  result.textContent = `Encoding ${file.name}`;
  try {
    const { blob, summary } = await convert(file);
    const { frames, width, height, psnr, seconds } = summary;
    download(blob, file.name.replace(/\.[^.]*$|$/, '.mpg'));
    const quality = Number.isFinite(psnr.y) ? `${psnr.y.toFixed(1)} dB` : 'exact';
    const figures = `${frames} frames of ${width}x${height} in ${seconds.toFixed(1)} s, ${quality}`;
    result.textContent = `${figures}, ${blob.size} bytes`;
  } catch (error) {
    result.textContent = error.message;
  }
});

let stop;

/** Says what is wrong, and what the button does. */
function showCamera(trouble = '') {
  element('state').textContent = trouble;
  element('camera').textContent = stop ? 'Stop' : 'Start';
}

/** Plays the camera; what is returned ends that. */
async function startCamera() {
  if (!navigator.mediaDevices) throw new Error('a page gets a camera from https or localhost only');
  const camera = await navigator.mediaDevices.getUserMedia({ video: { width: 320, height: 240 } });
  const { stream, finished } = encodeVideo(camera, { format: 'ts', preset: 'fastest', bitrate: 500_000, gop: 25 });
  const canvas = element('screen');
  const player = new JSMpeg.Player(null, { source: sourceOf(stream), canvas, audio: false });
  const end = () => {
    for (const track of camera.getTracks()) track.stop();
    canvas.replaceWith(canvas.cloneNode()); // JSMpeg removes its own; the next start needs one
    player.destroy();
  };
  finished.catch(error => {
    if (stop !== end) return; // it was ended by the button
    stop = end();
    showCamera(error.message);
  });
  return end;
}

element('camera').addEventListener('click', async ({ target }) => {
  target.disabled = true;
  try {
    stop = stop ? stop() : await startCamera();
    showCamera();
  } catch (error) {
    showCamera(error.message);
  }
  target.disabled = false;
});
