// Where a flake lies in the picture: reads `flakes`. Readable twin: picture/camera.ts.

/// A flake as the camera sees it; the distance is 0 where it is not seen.
struct SeenFlake {
  /// In pels.
  middle: vec2<f32>,
  radius: f32,
  opacity: f32,
  /// Along z, in cells.
  distance: f32,
}

const NEAR = 0.75;
const MAX_RADIUS = 6.0;
const MIN_RADIUS = 0.5;
const OPACITY = 0.9;

fn seen_flake(number: u32) -> SeenFlake {
  let place = flakes[number].place;
  let distance = place.z - EYE_Z;
  if (distance < NEAR || distance >= FAR) {
    return SeenFlake(vec2<f32>(0.0), 0.0, 0.0, 0.0);
  }
  let scale = FOCAL / distance;
  let exact = min(MAX_RADIUS, scale * FLAKE_RADIUS * flake_size(number));
  let radius = max(MIN_RADIUS, exact);
  let middle = vec2<f32>(0.5 * f32(WIDTH) + scale * (place.x - EYE_X), HORIZON - scale * (place.y - EYE_Y));
  return SeenFlake(middle, radius, OPACITY * (exact / radius) * (exact / radius), distance);
}
