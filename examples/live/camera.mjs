// Runs in a page: encodes its camera in a worker, and sends the transport packets to the server.
import { createContainerWriter } from 'mpegpu';
import { openFrames, WorkerEncoder } from 'mpegpu/browser';
import { BIT_RATE, ENCODER_OPTIONS, FRAME_RATE, SIZE } from './format.mjs';

/** With so many bytes in the socket, the line is too slow: a quarter of a second. */
const MAX_BUFFERED_BYTES = BIT_RATE / 8 / 4;

/**
 * Sends the camera until it ends or the socket is closed. `onFrame` is told how many frames were encoded and left out.
 * @param {WebSocket} socket
 * @param {(encoded: number, leftOut: number) => void} onFrame
 */
async function sendCamera(socket, onFrame) {
  if (!navigator.mediaDevices) throw new Error('a page gets a camera from https or localhost only');
  const camera = await navigator.mediaDevices.getUserMedia({ video: { ...SIZE, frameRate: 25 } });
  const stop = () => {
    for (const track of camera.getTracks()) track.stop();
  };
  socket.addEventListener('close', stop);
  if (socket.readyState !== WebSocket.OPEN) return stop();
  const frames = await openFrames(camera, { frameRate: FRAME_RATE, scale: SIZE });
  const encoder = new WorkerEncoder(ENCODER_OPTIONS);
  socket.addEventListener('message', () => encoder.requestKeyFrame());
  const writer = createContainerWriter('ts', { ...SIZE, frameRate: FRAME_RATE });

  async function send() {
    for await (const unit of encoder) socket.send(messageOf(writer.write(unit), unit.pictureType === 'I'));
  }

  async function encode() {
    let [encoded, leftOut] = [0, 0];
    let last;
    for await (const frame of frames) {
      const isSlow = socket.bufferedAmount > MAX_BUFFERED_BYTES;
      // A frame comes again where the camera had none for its time.
      if (encoded > 0 && (isSlow || frame === last)) {
        await encoder.leaveOut();
        leftOut++;
      } else {
        await encoder.add(frame);
        last = frame;
        encoded++;
      }
      onFrame(encoded, leftOut);
    }
    await encoder.finish();
  }

  await Promise.all([send(), encode()]);
}

/**
 * A byte that says whether it is a key frame, and the packets of a picture.
 * @param {Uint8Array[]} packets
 * @param {boolean} isKeyFrame
 */
function messageOf(packets, isKeyFrame) {
  const message = new Uint8Array(packets.reduce((sum, { length }) => sum + length, 1));
  message[0] = isKeyFrame ? 1 : 0;
  let at = 1;
  for (const part of packets) {
    message.set(part, at);
    at += part.length;
  }
  return message;
}

const state = /** @type {HTMLElement} */ (document.getElementById('state'));
const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/#.*/, '')); // sockets have no fragments
socket.onopen = async () => {
  let ending = 'The camera has ended.';
  try {
    await sendCamera(socket, (encoded, leftOut) => {
      state.textContent = `${encoded} frames sent, ${leftOut} left out`;
    });
  } catch (error) {
    ending = String(error);
  }
  // The server has closed the connection, which has stopped the camera: `onclose` says why.
  if (socket.readyState !== WebSocket.OPEN) return;
  state.textContent = ending;
  socket.onclose = null;
  socket.close();
};
socket.onclose = /** @param {CloseEvent} event */ event => {
  state.textContent = event.reason || 'The server has closed the connection.';
};
