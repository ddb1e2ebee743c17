// The wind at a point: reads `wind`, three planes of f32 in cells per second, see wind/air.ts.

/// The wind of a face near the grid.
fn face_wind(axis: u32, cell: vec3<i32>) -> f32 {
  if (axis == 1u && (cell.y < 0 || cell.y >= i32(GRID_Y))) {
    return 0.0;
  }
  let y = clamp(cell.y, 0, i32(GRID_Y) - 1);
  return wind[axis * cell_count() + cell_at(vec3<i32>(cell.x, y, cell.z))];
}

/// Between two faces that are neighbours along x.
fn row_wind(axis: u32, cell: vec3<i32>, share: f32) -> f32 {
  let low = face_wind(axis, cell);
  return low + (face_wind(axis, cell + vec3<i32>(1, 0, 0)) - low) * share;
}

/// One component of the wind at a point, linear between the eight nearest faces.
fn wind_along(axis: u32, place: vec3<f32>) -> f32 {
  let inside = place - vec3<f32>(0.5) + 0.5 * vec3<f32>(along(axis));
  let low = floor(inside);
  let share = inside - low;
  let cell = vec3<i32>(low);
  let a = row_wind(axis, cell, share.x);
  let b = row_wind(axis, cell + vec3<i32>(0, 1, 0), share.x);
  let c = row_wind(axis, cell + vec3<i32>(0, 0, 1), share.x);
  let d = row_wind(axis, cell + vec3<i32>(0, 1, 1), share.x);
  let near = a + (b - a) * share.y;
  return near + (c + (d - c) * share.y - near) * share.z;
}

/// The wind at a point.
fn wind_at(place: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(wind_along(0u, place), wind_along(1u, place), wind_along(2u, place));
}
