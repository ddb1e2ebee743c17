// The ground rises where flakes have landed, and is smoothed. Readable twin: settleSnow in ground.ts.

const UNITS_PER_FLAKE = 256u;
const FLOW = 8;

/// In cells, one a column.
@group(0) @binding(0) var<storage, read> terrain: array<f32>;
/// Snow in units, one word a column.
@group(0) @binding(1) var<storage, read> snow: array<u32>;
/// Flakes that landed in the step before, one word a column.
@group(0) @binding(2) var<storage, read> landed: array<u32>;
/// As `snow`.
@group(0) @binding(3) var<storage, read_write> next_snow: array<u32>;
/// Terrain and snow in cells, one a column.
@group(0) @binding(4) var<storage, read_write> heights: array<f32>;

fn units_at(x: u32, z: u32) -> i32 {
  let column = x % COLUMNS_X + COLUMNS_X * (z % COLUMNS_Z);
  return i32(snow[column] + UNITS_PER_FLAKE * landed[column]);
}

@compute @workgroup_size(256)
fn settle_snow(@builtin(global_invocation_id) id: vec3<u32>) {
  let column = id.x;
  if (column >= COLUMNS_X * COLUMNS_Z) {
    return;
  }
  let x = column % COLUMNS_X;
  let z = column / COLUMNS_X;
  let units = units_at(x, z);
  // Division of integers rounds towards zero: what one column gives, the other gets.
  let flow = (units_at(x + COLUMNS_X - 1u, z) - units) / FLOW + (units_at(x + 1u, z) - units) / FLOW
    + (units_at(x, z + COLUMNS_Z - 1u) - units) / FLOW + (units_at(x, z + 1u) - units) / FLOW;
  next_snow[column] = u32(units + flow);
  heights[column] = min(MAX_GROUND, terrain[column] + f32(next_snow[column]) * UNIT_HEIGHT);
}
