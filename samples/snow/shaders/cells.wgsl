// The cells of the air, see wind/air.ts.

/// Cells of the air: the length of a plane of the wind.
fn cell_count() -> u32 {
  return GRID_X * GRID_Y * GRID_Z;
}

/// The index of a cell; x and z are rings, y is 0..GRID_Y - 1.
fn cell_at(cell: vec3<i32>) -> u32 {
  let x = u32(cell.x + i32(GRID_X)) % GRID_X;
  let z = u32(cell.z + i32(GRID_Z)) % GRID_Z;
  return x + GRID_X * (u32(cell.y) + GRID_Y * z);
}

/// A step of one cell along an axis.
fn along(axis: u32) -> vec3<i32> {
  return select(vec3<i32>(0), vec3<i32>(1), vec3<u32>(axis) == vec3<u32>(0u, 1u, 2u));
}
