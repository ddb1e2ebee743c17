// Part of sort_tiles and sort_across: up to three neighbouring steps of the bitonic network, on eight items.
//
// A stage of the network sorts blocks of 2^s places whose halves are sorted. Its first step compares each place of a
// block with its mirror place; the steps after it compare places that lie 2^(s-2), 2^(s-3), ... 1 apart:
//
//     first step    0 1 2 3 4 5 6 7      second step    0 1 2 3 4 5 6 7      third step    0 1 2 3 4 5 6 7
//                   | | | +-+ | | |                     +---+   +---+                      +-+ +-+ +-+ +-+
//                   | | +-----+ | |                       +---+   +---+
//                   | +---------+ |
//                   +-------------+
//
// The lower place always gets the item that comes first. So items never move to a place behind the last one, and
// places there need no memory: they read as NOTHING, and are not written.

/** What a pass does, and to how many items. */
struct SortParameters {
  /** Items to sort, 1 or more. */
  length: u32,
  /** Items of a thread lie 2^shift places apart. In sort_tiles: 0. */
  shift: u32,
  /** Steps of the pass, 1..3. In sort_tiles: 0. */
  steps: u32,
  /** 1: the first step compares mirror places. In sort_tiles, 1: tiles are sorted; 0: their last stage is ended. */
  isFirst: u32,
}

/** What the pass does. */
@group(0) @binding(0) var<uniform> parameters: SortParameters;
/** The keys, sorted in place. */
@group(0) @binding(1) var<storage, read_write> keys: array<u32>;
/** The values that move with the keys, as many as these; where HAS_VALUES is false, one word that is not used. */
@group(0) @binding(2) var<storage, read_write> values: array<u32>;

/** False: there are keys alone. */
override HAS_VALUES: bool;

/** Threads of a workgroup. */
const THREADS = 256u;
/** Items of a thread, as a power of two. */
const ITEM_BITS = 3u;

/** The item at a place; NOTHING behind the last one. */
fn load_item(place: u32) -> vec2u {
  if (place >= parameters.length) {
    return NOTHING;
  }
  if (HAS_VALUES) {
    return vec2u(keys[place], values[place]);
  }
  return vec2u(keys[place], 0u);
}

/** Writes the item of a place, if there is such a place. */
fn store_item(place: u32, item: vec2u) {
  if (place >= parameters.length) {
    return;
  }
  keys[place] = item.x;
  if (HAS_VALUES) {
    values[place] = item.y;
  }
}

/** Eight items of a thread: the places of their numbers 0..7 go up. */
struct Places {
  /** The place of number 0. */
  first: u32,
  /** Numbers lie 2^shift places apart. */
  shift: u32,
  /** Bits that differ between places of the lower and of the upper half of a block, beside the number's. */
  mirror: u32,
  /** The number's bit that says which half. */
  halfBit: u32,
}

/**
 * The places of a thread in a pass that ends with distance 2^shift. In a first step the upper half of a block is read
 * from its end, so that mirror places meet in one thread.
 */
fn places_of(thread: u32, shift: u32, steps: u32, isFirst: bool) -> Places {
  let mask = (1u << shift) - 1u;
  let first = ((thread & ~mask) << ITEM_BITS) | (thread & mask);
  return Places(first, shift, select(0u, mask, isFirst), steps - 1u);
}

/** The place of item `number`. */
fn place_of(places: Places, number: u32) -> u32 {
  let isUpper = ((number >> places.halfBit) & 1u) == 1u;
  return (places.first + (number << places.shift)) ^ select(0u, places.mirror, isUpper);
}

/** Puts two items in order. */
fn exchange(items: ptr<function, array<vec2u, 8>>, low: u32, high: u32) {
  let a = (*items)[low];
  let b = (*items)[high];
  let isWrong = precedes(b, a);
  (*items)[low] = select(a, b, isWrong);
  (*items)[high] = select(b, a, isWrong);
}

/** `steps` steps on the items of a thread; if `isFirst`, the first of them compares mirror places. */
fn run_steps(items: ptr<function, array<vec2u, 8>>, steps: u32, isFirst: bool) {
  if (steps == 3u) {
    if (isFirst) {
      exchange(items, 0u, 7u);
      exchange(items, 1u, 6u);
      exchange(items, 2u, 5u);
      exchange(items, 3u, 4u);
    } else {
      exchange(items, 0u, 4u);
      exchange(items, 1u, 5u);
      exchange(items, 2u, 6u);
      exchange(items, 3u, 7u);
    }
  }
  if (steps >= 2u) {
    if (isFirst && steps == 2u) {
      exchange(items, 0u, 3u);
      exchange(items, 1u, 2u);
      exchange(items, 4u, 7u);
      exchange(items, 5u, 6u);
    } else {
      exchange(items, 0u, 2u);
      exchange(items, 1u, 3u);
      exchange(items, 4u, 6u);
      exchange(items, 5u, 7u);
    }
  }
  exchange(items, 0u, 1u);
  exchange(items, 2u, 3u);
  exchange(items, 4u, 5u);
  exchange(items, 6u, 7u);
}
