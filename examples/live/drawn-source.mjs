// A source of live pictures: frames that are drawn in Node.
import { setTimeout as delay } from 'node:timers/promises';
import { Encoder } from 'mpegpu';
import { containerForPath } from 'mpegpu/node';
import { drawFrame } from './draw-frame.mjs';
import { ENCODER_OPTIONS, FRAME_MS, FRAME_RATE, SIZE } from './format.mjs';

/** The number of each frame when it is due; numbers are left out where there was no time for their frames. */
export async function* steadyPace(start = performance.now()) {
  for (let next = 0; ; ) {
    await delay(Math.max(0, start + next * FRAME_MS - performance.now()));
    const due = Math.floor((performance.now() - start) / FRAME_MS);
    yield due;
    next = due + 1;
  }
}

/**
 * Encodes frames for the viewers. `pace` gives the number of each frame when it is due.
 * @param {import('./viewers.mjs').Viewers} viewers
 * @param {AsyncIterable<number>} pace
 */
export function startDrawing(viewers, pace) {
  const encoder = new Encoder(ENCODER_OPTIONS);
  viewers.requestKeyFrame = () => encoder.requestKeyFrame();
  let isOver = false;

  /** Sends the transport packets of each picture as soon as it is coded. */
  async function send() {
    const { writer } = containerForPath('live.ts', { ...SIZE, frameRate: FRAME_RATE });
    for await (const unit of encoder) viewers.send(Buffer.concat(writer.write(unit)), unit.pictureType === 'I');
  }

  /** Encodes each frame when it is due. */
  async function draw() {
    let next = 0;
    for await (const due of pace) {
      if (isOver) break;
      if (next > 0 && due > next) await encoder.leaveOut(due - next);
      await encoder.add(drawFrame(due));
      next = due + 1;
    }
    await encoder.finish();
  }

  const running = Promise.all([send(), draw()]);
  const close = async () => {
    isOver = true;
    await running;
  };
  return { running, close };
}
