// The viewers of a live stream: each begins with a key frame, and one that is slow waits for the next.
import { BIT_RATE } from './format.mjs';

/** A viewer that takes so many bytes too slowly gets nothing more until the next key frame. */
const MAX_BUFFERED_BYTES = BIT_RATE / 8;

export class Viewers {
  /** Viewers, and whether they have had a key frame.
   * @type {Map<import('ws').WebSocket, boolean>} */
  sockets = new Map();

  /** Asks the source for a key frame. */
  requestKeyFrame = () => {};

  /** @param {import('ws').WebSocket} viewer */
  add(viewer) {
    this.sockets.set(viewer, false);
    this.requestKeyFrame();
    viewer.on('close', () => this.sockets.delete(viewer));
    viewer.on('error', () => viewer.terminate());
  }

  /**
   * Sends the transport packets of a picture.
   * @param {Uint8Array} packets
   * @param {boolean} isKeyFrame
   */
  send(packets, isKeyFrame) {
    for (const [viewer, hasBegun] of this.sockets) {
      const isSlow = viewer.bufferedAmount > MAX_BUFFERED_BYTES;
      if (isSlow && hasBegun) this.requestKeyFrame();
      const goesOn = !isSlow && (hasBegun || isKeyFrame);
      this.sockets.set(viewer, goesOn);
      if (goesOn) viewer.send(packets);
    }
  }

  /** Another stream begins: all wait for its first key frame. */
  restart() {
    for (const viewer of this.sockets.keys()) this.sockets.set(viewer, false);
  }

  close() {
    for (const viewer of this.sockets.keys()) viewer.terminate();
  }
}
