// Places for smaller versions of pictures in a memory that threads share: whoever needs them first makes them.
import { ALIGNMENT_BYTES } from './kernel-memory.js';

/** Versions of Y beside itself that a place has room for. */
const MAX_REDUCTIONS = 3;

/** The places, one after the other. Picture `id` takes the one of number `id` modulo `count`. */
export interface ReducedPlaces {
  readonly first: number;
  readonly count: number;
}

/** What a version that is there, and what an id, counts in a state; below are the readers. */
const VERSION = 256;
const ID = VERSION * (MAX_REDUCTIONS + 1);
/** How many ids a state tells from each other: it stays positive. */
const IDS = 2 ** 21 - 1;

/**
 * Bytes of a place for pictures of `pels` luma pels:
 *
 *     | state, 16 bytes | half | quarter | eighth |
 *
 * `state`, an int32: the picture's id plus 1, how many of its versions are there, and how many searches read them.
 */
export function reducedPlaceBytes(pels: number): number {
  let bytes = ALIGNMENT_BYTES;
  for (let version = 1; version <= MAX_REDUCTIONS; version++) bytes += reducedBytes(pels, version);
  return bytes;
}

/** Bytes from a version, `version` times half as wide and high, to the next. */
export function reducedBytes(pels: number, version: number): number {
  return Math.ceil((pels >> (2 * version)) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

/** The place of a picture. */
export class ReducedPlace {
  readonly #i32: Int32Array;
  readonly #state: number;
  readonly #id: number;

  /** The place of picture `id`, of `pels` luma pels, in the memory that `i32` shows. */
  constructor(i32: Int32Array, { first, count }: ReducedPlaces, pels: number, id: number) {
    this.#i32 = i32;
    this.#state = (first + (id % count) * reducedPlaceBytes(pels)) >> 2;
    this.#id = ID * ((id % IDS) + 1);
  }

  /** The pointer to the half-size version. */
  get half(): number {
    return 4 * this.#state + ALIGNMENT_BYTES;
  }

  /** Has the versions stay until `release`: how many there are. Undefined while those of another picture are read. */
  hold(): number | undefined {
    for (;;) {
      const state = Atomics.load(this.#i32, this.#state);
      const isHere = (state & -ID) === this.#id;
      const readers = state & (VERSION - 1);
      if (readers > 0 && !isHere) return undefined;
      const held = isHere ? state + 1 : this.#id + 1;
      if (this.#replace(state, held)) return Math.floor((held & (ID - 1)) / VERSION);
    }
  }

  /** So many versions are there now. They are held. */
  made(versions: number): void {
    for (;;) {
      const state = Atomics.load(this.#i32, this.#state);
      const more = versions - Math.floor((state & (ID - 1)) / VERSION);
      if (more <= 0 || this.#replace(state, state + more * VERSION)) return;
    }
  }

  /** Ends what `hold` has begun. */
  release(): void {
    Atomics.sub(this.#i32, this.#state, 1);
  }

  #replace(state: number, by: number): boolean {
    return Atomics.compareExchange(this.#i32, this.#state, state, by) === state;
  }
}

/** Takes the places as empty: nobody uses them. */
export function clearReducedPlaces(i32: Int32Array, { first, count }: ReducedPlaces, pels: number): void {
  for (let i = 0; i < count; i++) i32[(first + i * reducedPlaceBytes(pels)) >> 2] = 0;
}
