// The numbers of a film, see SceneNumbers in scene.ts, and the functions that all passes share.

override WIDTH: u32;
override HEIGHT: u32;
override CODED_WIDTH: u32;
override CODED_HEIGHT: u32;
override TILES_X: u32;
override TILES_Y: u32;
override SEED: u32;
override FLAKES: u32;
override GRID_X: u32;
override GRID_Y: u32;
override GRID_Z: u32;
override COLUMNS_X: u32;
override COLUMNS_Z: u32;
override STEP_SECONDS: f32;
override DRIVE: f32;
override GRAVITY: f32;
override TURN_STEP: u32;
override UNIT_HEIGHT: f32;
override MAX_GROUND: f32;
override FLAKE_RADIUS: f32;
override EYE_X: f32;
override EYE_Y: f32;
override EYE_Z: f32;
override FOCAL: f32;
override HORIZON: f32;
override FAR: f32;

const COLUMNS_PER_CELL = 4u;

/// 32 random bits; `hash` of samples/random.ts.
fn hash(a: u32, b: u32, c: u32) -> u32 {
  var bits = ((a ^ 0x9e3779b9u) * 0x85ebca6bu) ^ ((b + 0x7f4a7c15u) * 0xc2b2ae35u) ^ ((c ^ 0x165667b1u) * 0x27d4eb2fu);
  bits = (bits ^ (bits >> 16u)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15u)) * 0x846ca68bu;
  return bits ^ (bits >> 16u);
}

/// 24 of 32 random bits as a number 0..1.
fn share_of(bits: u32) -> f32 {
  return f32(bits >> 8u) / 16777216.0;
}

/// Like a sine of whole turns; `wave` of wave.ts.
fn wave(turns: f32) -> f32 {
  let turn = turns - floor(turns + 0.5);
  let parabola = 8.0 * turn - 16.0 * turn * abs(turn);
  return parabola * (0.775 + 0.225 * abs(parabola));
}

/// A place along an axis that is closed to a ring: 0 or above, below `length`.
fn wrapped(place: f32, length: f32) -> f32 {
  let inside = place - length * floor(place / length);
  return select(0.0, inside, inside < length);
}

/// The column under a point of the grid.
fn column_at(x: f32, z: f32) -> u32 {
  let column_x = min(COLUMNS_X - 1u, u32(f32(COLUMNS_PER_CELL) * x));
  let column_z = min(COLUMNS_Z - 1u, u32(f32(COLUMNS_PER_CELL) * z));
  return column_x + COLUMNS_X * column_z;
}
