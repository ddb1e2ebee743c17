// Places for source pictures in a memory that threads share: each lies there once, and so does what is made of it.

/** Versions of Y beside itself that a place has room for. */
export const MAX_REDUCTIONS = 3;

/**
 * Bytes of the place of a picture of `pels` luma pels, a multiple of 256:
 *
 *     | Y | Cb | Cr | made, 16 bytes | half | quarter | eighth |
 *
 * `made`: an int32, the picture's id times 4, plus how many of the smaller versions of Y are there. Whoever needs them
 * first makes them.
 */
export function placeBytes(pels: number): number {
  return 2 * pels;
}

/** The address of `made` of the picture whose luma lies at `place`. */
export function madeAt(place: number, pels: number): number {
  return place + 1.5 * pels;
}
