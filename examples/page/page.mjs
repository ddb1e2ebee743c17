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
  const video = encodeVideo(samplesOf(track), {
    quality: 60,
    onProgress: frames => {
      progress.value = frames / (25 * seconds);
    },
  });
  const blob = await video.blob();
  return { blob, summary: await video.finished };
}

/** Offers a file for download. */
function download(blob, name) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

element('file').addEventListener('change', async event => {
  const [file] = event.target.files;
  const result = element('result');
  result.textContent = `Encoding ${file.name}`;
  try {
    const { blob, summary } = await convert(file);
    const { frames, width, height, psnr, seconds } = summary;
    download(blob, file.name.replace(/\.[^.]*$|$/, '.mpg'));
    const figures = `${frames} frames of ${width}x${height} in ${seconds.toFixed(1)} s, ${psnr.y.toFixed(1)} dB`;
    result.textContent = `${figures}, ${blob.size} bytes`;
  } catch (error) {
    result.textContent = error.message;
  }
});

let stop;

async function startCamera() {
  const camera = await navigator.mediaDevices.getUserMedia({ video: { width: 320, height: 240 } });
  const { stream } = encodeVideo(camera, { format: 'ts', preset: 'fastest', bitrate: 500_000, gop: 25 });
  const player = new JSMpeg.Player(null, { source: sourceOf(stream), canvas: element('screen'), audio: false });
  return () => {
    for (const track of camera.getTracks()) track.stop();
    player.destroy();
  };
}

element('camera').addEventListener('click', async ({ target }) => {
  target.disabled = true;
  if (stop) {
    stop();
    stop = undefined;
  } else stop = await startCamera();
  target.textContent = stop ? 'Stop' : 'Start';
  target.disabled = false;
});
