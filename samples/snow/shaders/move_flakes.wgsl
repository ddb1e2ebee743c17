// Moves the flakes: drag, wind, gravity and a circular motion. Readable twin: moveFlakes in flakes.ts.

@group(0) @binding(0) var<storage, read_write> flakes: array<Flake>;
/// Three planes, in cells per second.
@group(0) @binding(1) var<storage, read> wind: array<f32>;
/// Terrain and snow in cells, one a column.
@group(0) @binding(2) var<storage, read> heights: array<f32>;
/// Flakes that land in this step, one word a column.
@group(0) @binding(3) var<storage, read_write> landed: array<atomic<u32>>;

fn turns_of(phase: u32) -> f32 {
  return f32(phase >> 8u) / 16777216.0;
}

/// The flake in the uppermost cells, where it starts after so many landings.
fn started_anew(flake: u32, landings: u32, phase: u32) -> Flake {
  let first = 8u * landings + 8u;
  let place = vec3<f32>(
    f32(GRID_X) * share_of(hash(SEED, flake, first)),
    f32(GRID_Y) - share_of(hash(SEED, flake, first + 1u)),
    f32(GRID_Z) * share_of(hash(SEED, flake, first + 2u)),
  );
  return Flake(place, landings, vec3<f32>(0.0, -fall_speed(flake), 0.0), phase);
}

@compute @workgroup_size(256)
fn move_flakes(@builtin(global_invocation_id) id: vec3<u32>) {
  let number = id.x;
  if (number >= FLAKES) {
    return;
  }
  var flake = flakes[number];
  let drag = GRAVITY / fall_speed(number) * STEP_SECONDS;
  let pulled = flake.speed + drag * wind_at(flake.place);
  flake.speed = (pulled - vec3<f32>(0.0, GRAVITY * STEP_SECONDS, 0.0)) / (1.0 + drag);
  let from_turns = turns_of(flake.phase);
  flake.phase += turn_of(number);
  let to_turns = turns_of(flake.phase);
  let radius = circle_radius(number);
  let circle_x = radius * (wave(to_turns + 0.25) - wave(from_turns + 0.25));
  let circle_z = radius * (wave(to_turns) - wave(from_turns));
  flake.place = vec3<f32>(
    wrapped(flake.place.x + STEP_SECONDS * flake.speed.x + circle_x, f32(GRID_X)),
    min(f32(GRID_Y), flake.place.y + STEP_SECONDS * flake.speed.y),
    wrapped(flake.place.z + STEP_SECONDS * flake.speed.z + circle_z, f32(GRID_Z)),
  );
  let column = column_at(flake.place.x, flake.place.z);
  if (!(flake.place.y > heights[column])) {
    atomicAdd(&landed[column], 1u);
    flake = started_anew(number, flake.landings + 1u, flake.phase);
  }
  flakes[number] = flake;
}
