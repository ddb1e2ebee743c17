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

/** A picture on its way to a thread: with its pels, or with their address in a memory that the two threads share. */
export interface SentPicture extends Omit<LumaPicture, 'pels'> {
  readonly pels: Uint8Array | number;
}

/** The same for a thread that shares `memory` with this one. */
export function placedPicture(
  picture: LumaPicture,
  copies: ArrayBuffer[],
  memory: ArrayBufferLike | undefined,
): SentPicture {
  const { id, width, height, pels } = picture;
  if (pels.buffer === memory) return { id, width, height, pels: pels.byteOffset };
  return sendablePicture(picture, copies);
}

/** The picture that was sent, as the thread sees it. */
export function receivedPicture({ pels, ...picture }: SentPicture, memory: ArrayBufferLike | undefined): LumaPicture {
  if (typeof pels !== 'number') return { ...picture, pels };
  return { ...picture, pels: new Uint8Array(memory!, pels, picture.width * picture.height) };
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

/** A request that can be sent to a thread; `copies` gets the buffers to hand over. */
export function sendableRequest(
  { current, reference, start }: EstimateRequest,
  copies: ArrayBuffer[],
): EstimateRequest {
  return {
    current: sendablePicture(current, copies),
    reference: sendablePicture(reference, copies),
    ...(start ? { start: copyOfStart(start, copies) } : {}),
  };
}
