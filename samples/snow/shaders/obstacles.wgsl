// Where air is, and where it can go: reads `floors`, the cells that the ground fills, for each pair of x and z.

/// Whether a cell holds air.
fn is_air(cell: vec3<i32>) -> bool {
  let x = u32(cell.x + i32(GRID_X)) % GRID_X;
  let z = u32(cell.z + i32(GRID_Z)) % GRID_Z;
  return cell.y >= i32(floors[x + GRID_X * z]) && cell.y >= 0 && cell.y < i32(GRID_Y);
}

/// Whether wind can go through the face of a cell towards lower values of an axis.
fn is_open(cell: vec3<i32>, axis: u32) -> bool {
  return is_air(cell) && is_air(cell - along(axis));
}
