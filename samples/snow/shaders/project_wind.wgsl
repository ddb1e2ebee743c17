// Takes the gradient of the pressure from the wind. Readable twin: wind/projection.ts.

/// Three planes, in cells per second.
@group(0) @binding(0) var<storage, read_write> wind: array<f32>;
@group(0) @binding(1) var<storage, read> floors: array<u32>;
@group(0) @binding(2) var<storage, read> pressure: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn project_wind(@builtin(global_invocation_id) id: vec3<u32>) {
  if (any(id >= vec3<u32>(GRID_X, GRID_Y, GRID_Z))) {
    return;
  }
  let cell = vec3<i32>(id);
  for (var axis = 0u; axis < 3u; axis++) {
    if (is_open(cell, axis)) {
      wind[axis * cell_count() + cell_at(cell)] -= pressure[cell_at(cell)] - pressure[cell_at(cell - along(axis))];
    }
  }
}
