// The wind carries itself and takes on the prevailing wind. Readable twin: wind/advection.ts.

/// The weather of a step, see wind/prevailing-wind.ts.
struct Weather {
  wind_x: f32,
  wind_z: f32,
  gust: f32,
  cross_gust: f32,
}

@group(0) @binding(0) var<uniform> weather: Weather;
/// Three planes, in cells per second.
@group(0) @binding(1) var<storage, read> wind: array<f32>;
@group(0) @binding(2) var<storage, read> floors: array<u32>;
/// As `wind`.
@group(0) @binding(3) var<storage, read_write> next_wind: array<f32>;

fn prevailing_wind(axis: u32, place: vec3<f32>) -> f32 {
  let across_x = place.x / f32(GRID_X);
  let across_z = place.z / f32(GRID_Z);
  if (axis == 0u) {
    let gust = wave(2.0 * across_x + across_z - weather.gust) * wave(2.0 * across_z + weather.cross_gust);
    return weather.wind_x * (1.0 + 0.6 * gust);
  }
  return weather.wind_z + 0.5 * weather.wind_x * wave(3.0 * across_z - across_x + weather.cross_gust);
}

fn advected(cell: vec3<i32>, axis: u32) -> f32 {
  if (!is_open(cell, axis)) {
    return 0.0;
  }
  let place = vec3<f32>(cell) + vec3<f32>(0.5) - 0.5 * vec3<f32>(along(axis));
  let carried = wind_along(axis, place - STEP_SECONDS * wind_at(place));
  if (axis == 1u) {
    return carried;
  }
  return carried + (prevailing_wind(axis, place) - carried) * DRIVE * STEP_SECONDS;
}

@compute @workgroup_size(32, 4, 2)
fn advect_wind(@builtin(global_invocation_id) id: vec3<u32>) {
  if (any(id >= vec3<u32>(GRID_X, GRID_Y, GRID_Z))) {
    return;
  }
  let cell = vec3<i32>(id);
  for (var axis = 0u; axis < 3u; axis++) {
    next_wind[axis * cell_count() + cell_at(cell)] = advected(cell, axis);
  }
}
