// Copies what a message to a thread hands over, where it cannot stay in place.
import { isShared } from '../../threads/shared-memory.js';
import type { EstimateRequest, LumaPicture, StartField } from '../estimator.js';

/** A picture that can be sent to a thread. Shared pels stay in place; others are copied; `copies` gets the buffer. */
export function sendablePicture({ id, width, height, pels }: LumaPicture, copies: ArrayBuffer[]): LumaPicture {
  if (isShared(pels.buffer)) return { id, width, height, pels };
  const copy = pels.slice();
  copies.push(copy.buffer);
  return { id, width, height, pels: copy };
}

/** The buffer of pels as it can be sent to a thread: itself if it is shared, else a copy; `copies` gets that. */
export function sendableBuffer(buffer: ArrayBufferLike, copies: ArrayBuffer[]): ArrayBufferLike {
  if (isShared(buffer)) return buffer;
  const copy = (buffer as ArrayBuffer).slice(0);
  copies.push(copy);
  return copy;
}

/** A copy of a start field, which the caller keeps; `copies` gets its buffers. */
function copyOfStart(start: StartField, copies: ArrayBuffer[]): StartField {
  const [dx, dy] = [start.dx.slice(), start.dy.slice()];
  copies.push(dx.buffer, dy.buffer);
  return { dx, dy };
}

/**
 * Requests that can be sent to a thread in one message; `copies` gets the buffers to hand over. A picture that several
 * of them have is one object, here and in the thread.
 */
export function sendableRequests(requests: readonly EstimateRequest[], copies: ArrayBuffer[]): EstimateRequest[] {
  const pictures = new Map<number, LumaPicture>();
  const send = (picture: LumaPicture) => {
    const sent = pictures.get(picture.id) ?? sendablePicture(picture, copies);
    pictures.set(picture.id, sent);
    return sent;
  };
  return requests.map(({ current, reference, start }) => {
    const pair = { current: send(current), reference: send(reference) };
    return start ? { ...pair, start: copyOfStart(start, copies) } : pair;
  });
}
