// Steps of the bitonic network within tiles of 2^TILE_BITS items, which a workgroup keeps in its memory.
//
// They are all stages that sort the tiles, or the last steps of a later stage. Between two barriers each thread makes
// up to three steps on eight items, see sort_steps.wgsl.

/** Places of a tile, as a power of two. */
const TILE_BITS = 11u;
const TILE = 2048u;

var<workgroup> tileKeys: array<u32, TILE>;
var<workgroup> tileValues: array<u32, TILE>;

/**
 * Where a place of the tile lies in workgroup memory: its low five bits, which choose the memory bank, are mixed with
 * higher ones. Otherwise the threads that read places 8 apart would wait for one another at the same banks.
 */
fn slot_of(place: u32) -> u32 {
  return place ^ ((place >> 5u) & 7u) ^ ((place >> 3u) & 24u);
}

fn tile_item(place: u32) -> vec2u {
  let slot = slot_of(place);
  if (HAS_VALUES) {
    return vec2u(tileKeys[slot], tileValues[slot]);
  }
  return vec2u(tileKeys[slot], 0u);
}

fn set_tile_item(place: u32, item: vec2u) {
  let slot = slot_of(place);
  tileKeys[slot] = item.x;
  if (HAS_VALUES) {
    tileValues[slot] = item.y;
  }
}

fn read_items(places: Places) -> array<vec2u, 8> {
  return array<vec2u, 8>(
    tile_item(place_of(places, 0u)),
    tile_item(place_of(places, 1u)),
    tile_item(place_of(places, 2u)),
    tile_item(place_of(places, 3u)),
    tile_item(place_of(places, 4u)),
    tile_item(place_of(places, 5u)),
    tile_item(place_of(places, 6u)),
    tile_item(place_of(places, 7u)),
  );
}

fn write_items(places: Places, items: array<vec2u, 8>) {
  set_tile_item(place_of(places, 0u), items[0]);
  set_tile_item(place_of(places, 1u), items[1]);
  set_tile_item(place_of(places, 2u), items[2]);
  set_tile_item(place_of(places, 3u), items[3]);
  set_tile_item(place_of(places, 4u), items[4]);
  set_tile_item(place_of(places, 5u), items[5]);
  set_tile_item(place_of(places, 6u), items[6]);
  set_tile_item(place_of(places, 7u), items[7]);
}

/** The first three stages: each thread sorts eight neighbouring items. Ends with a barrier. */
fn sort_eights(thread: u32) {
  let places = places_of(thread, 0u, ITEM_BITS, true);
  var items = read_items(places);
  run_steps(&items, 1u, true);
  run_steps(&items, 2u, true);
  run_steps(&items, 3u, true);
  write_items(places, items);
  workgroupBarrier();
}

/** The steps of a stage from distance 2^(top-1) on; `isFirst`: its first step is among them. Ends with a barrier. */
fn end_stage(thread: u32, top: u32, isFirst: bool) {
  for (var bits = top; bits > 0u; bits -= min(bits, ITEM_BITS)) {
    let steps = min(bits, ITEM_BITS);
    let isMirrored = isFirst && bits == top;
    let places = places_of(thread, bits - steps, steps, isMirrored);
    var items = read_items(places);
    run_steps(&items, steps, isMirrored);
    write_items(places, items);
    workgroupBarrier();
  }
}

@compute @workgroup_size(THREADS)
fn sort_tiles(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let start = group.x * TILE;
  for (var place = thread; place < TILE; place += THREADS) {
    set_tile_item(place, load_item(start + place));
  }
  workgroupBarrier();
  if (parameters.isFirst == 1u) {
    sort_eights(thread);
    for (var stage = ITEM_BITS + 1u; stage <= TILE_BITS; stage++) {
      end_stage(thread, stage, true);
    }
  } else {
    end_stage(thread, TILE_BITS, false);
  }
  for (var place = thread; place < TILE; place += THREADS) {
    store_item(start + place, tile_item(place));
  }
}
