// Half a sweep of successive over-relaxation: the cells of one colour. Readable twin: wind/pressure.ts.

struct Sweep {
  factor: f32,
  /// 0 or 1: x + y + z of the cells is even or odd.
  colour: u32,
}

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> floors: array<u32>;
/// In 1/s, one a cell.
@group(0) @binding(2) var<storage, read> divergence: array<f32>;
/// One a cell; the difference of two cells is a speed in cells per second.
@group(0) @binding(3) var<storage, read_write> pressure: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn relax_pressure(@builtin(global_invocation_id) id: vec3<u32>) {
  // Threads side by side take cells of one colour: every other one.
  let x = 2u * id.x + ((id.y + id.z + sweep.colour) & 1u);
  if (x >= GRID_X || id.y >= GRID_Y || id.z >= GRID_Z) {
    return;
  }
  let cell = vec3<i32>(vec3<u32>(x, id.yz));
  if (!is_air(cell)) {
    return;
  }
  var sum = 0.0;
  var free = 0.0;
  for (var axis = 0u; axis < 3u; axis++) {
    for (var side = -1; side <= 1; side += 2) {
      let neighbour = cell + side * along(axis);
      if (is_air(neighbour)) {
        sum += pressure[cell_at(neighbour)];
        free += 1.0;
      }
    }
  }
  if (free > 0.0) {
    let index = cell_at(cell);
    pressure[index] += sweep.factor * ((sum - divergence[index]) / free - pressure[index]);
  }
}
