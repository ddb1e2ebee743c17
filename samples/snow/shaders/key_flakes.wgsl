// The entries that are sorted: one for each tile that a flake touches. Readable twin: picture/tile-entries.ts.

const TILE = 16.0;
const ENTRIES_PER_FLAKE = 4u;
const NO_TILE = 0xffffffffu;
const DISTANCE_STEPS = 65535.0;

@group(0) @binding(0) var<storage, read> flakes: array<Flake>;
/// Tile and nearness, ENTRIES_PER_FLAKE words a flake.
@group(0) @binding(1) var<storage, read_write> keys: array<u32>;
/// The number of the flake of each key.
@group(0) @binding(2) var<storage, read_write> numbers: array<u32>;

@compute @workgroup_size(256)
fn key_flakes(@builtin(global_invocation_id) id: vec3<u32>) {
  let number = id.x;
  if (number >= FLAKES) {
    return;
  }
  let seen = seen_flake(number);
  let reach = seen.radius + 1.0;
  let first = vec2<i32>(floor((seen.middle - reach) / TILE));
  let last = vec2<i32>(floor((seen.middle + reach) / TILE));
  let nearness = u32((1.0 - seen.distance / FAR) * DISTANCE_STEPS);
  for (var corner = 0u; corner < ENTRIES_PER_FLAKE; corner++) {
    let tile = first + vec2<i32>(i32(corner & 1u), i32(corner >> 1u));
    let is_touched = all(tile <= last) && all(tile >= vec2<i32>(0))
      && all(tile < vec2<i32>(i32(TILES_X), i32(TILES_Y))) && seen.distance > 0.0;
    let key = ((u32(tile.x) + TILES_X * u32(tile.y)) << 16u) | nearness;
    keys[ENTRIES_PER_FLAKE * number + corner] = select(NO_TILE, key, is_touched);
    numbers[ENTRIES_PER_FLAKE * number + corner] = number;
  }
}
