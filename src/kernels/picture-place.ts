// Places for source pictures in a memory that threads share: each picture lies there once, and so does what is made of it.

/**
 * Bytes of the place of a picture of `pels` luma pels, a multiple of 256; `pictureBytes` of it are its planes:
 *
 *     | Y | Cb | Cr | reductions | half | quarter | eighth |
 *
 * `reductions`: an int32, how many of the smaller versions of Y are there. They are made by who needs them first.
 */
export function placeBytes(pels: number): number {
  return 2 * pels;
}

/** The address of `reductions` of the picture whose luma lies at `place`. */
export function reductionsAt(place: number, pels: number): number {
  return place + 1.5 * pels;
}

/** A new picture lies at `place` of a memory: nothing has been made of it. */
export function renewPlace(memory: ArrayBufferLike, place: number, pels: number): void {
  Atomics.store(new Int32Array(memory, reductionsAt(place, pels), 1), 0, 0);
}
