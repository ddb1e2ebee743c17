// A source of live pictures: the camera of a page, which sends transport packets. They go to the viewers as they are.
import { KEY_FRAME_REQUEST } from './format.mjs';

/**
 * Passes on what a camera's page sends: messages of one byte, 1 for a key frame, and the packets of a picture.
 * @param {import('./viewers.mjs').Viewers} viewers
 * @param {import('ws').WebSocket} camera
 */
export function relayCamera(viewers, camera) {
  viewers.restart();
  viewers.requestKeyFrame = () => camera.send(KEY_FRAME_REQUEST);
  camera.on('message', data => {
    const bytes = /** @type {Buffer} */ (data);
    viewers.send(bytes.subarray(1), bytes[0] === 1);
  });
  camera.on('close', () => {
    viewers.requestKeyFrame = () => {};
  });
  camera.on('error', () => camera.terminate());
}
