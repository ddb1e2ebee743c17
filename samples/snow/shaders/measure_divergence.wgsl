// How much more air leaves a cell than enters it. Readable twin: wind/divergence.ts.

/// Three planes, in cells per second.
@group(0) @binding(0) var<storage, read> wind: array<f32>;
@group(0) @binding(1) var<storage, read> floors: array<u32>;
/// In 1/s, one a cell.
@group(0) @binding(2) var<storage, read_write> divergence: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn measure_divergence(@builtin(global_invocation_id) id: vec3<u32>) {
  if (any(id >= vec3<u32>(GRID_X, GRID_Y, GRID_Z))) {
    return;
  }
  let cell = vec3<i32>(id);
  var sum = 0.0;
  if (is_air(cell)) {
    for (var axis = 0u; axis < 3u; axis++) {
      sum += face_wind(axis, cell + along(axis)) - face_wind(axis, cell);
    }
  }
  divergence[cell_at(cell)] = sum;
}
