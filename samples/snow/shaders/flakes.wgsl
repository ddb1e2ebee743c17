// A flake, and what does not change about it, see flakes.ts.

/// Eight words.
struct Flake {
  /// In cells.
  place: vec3<f32>,
  /// How often it has landed.
  landings: u32,
  /// In cells per second.
  speed: vec3<f32>,
  /// Of its circular motion; a whole turn is 2^32.
  phase: u32,
}

/// Speed in still air, in cells per second.
fn fall_speed(flake: u32) -> f32 {
  return 1.2 + 1.2 * share_of(hash(SEED, flake, 0u));
}

/// Radius of the circular motion, in cells.
fn circle_radius(flake: u32) -> f32 {
  return 0.05 + 0.3 * share_of(hash(SEED, flake, 1u));
}

/// Turn in a step, in 2^-32 of a whole turn.
fn turn_of(flake: u32) -> u32 {
  let turns = hash(SEED, flake, 2u);
  let forwards = TURN_STEP * (1u + ((turns >> 1u) & 3u));
  return select(0u - forwards, forwards, (turns & 1u) == 0u);
}

/// Size, 1 being the mean.
fn flake_size(flake: u32) -> f32 {
  return 0.6 + 0.8 * share_of(hash(SEED, flake, 3u));
}
