// Which cells the ground fills: they are the obstacles of the wind. Readable twin: floorsOf in ground.ts.

/// In cells, one a column.
@group(0) @binding(0) var<storage, read> heights: array<f32>;
/// Cells from below, one word for each pair of x and z.
@group(0) @binding(1) var<storage, read_write> floors: array<u32>;

@compute @workgroup_size(256)
fn fill_floors(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= GRID_X * GRID_Z) {
    return;
  }
  let first = COLUMNS_PER_CELL * (id.x % GRID_X + COLUMNS_X * (id.x / GRID_X));
  var sum = 0.0;
  for (var z = 0u; z < COLUMNS_PER_CELL; z++) {
    for (var x = 0u; x < COLUMNS_PER_CELL; x++) {
      sum += heights[first + x + COLUMNS_X * z];
    }
  }
  floors[id.x] = u32(floor(sum / f32(COLUMNS_PER_CELL * COLUMNS_PER_CELL) + 0.5));
}
