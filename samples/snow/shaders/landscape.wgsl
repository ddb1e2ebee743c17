// The ground and the sky behind the flakes: reads `heights`, `terrain` and `palette`. See picture/background.ts.

/// The colours of picture/colours.ts; red, green and blue, 0..1.
struct Palette {
  sky: vec4<f32>,
  fog: vec4<f32>,
  rock: vec4<f32>,
  lit_snow: vec4<f32>,
  shaded_snow: vec4<f32>,
  flake: vec4<f32>,
}

/// What a ray meets.
struct RayEnd {
  colour: vec3<f32>,
  /// In cells.
  distance: f32,
}

const RAY_STEP = 0.06;
const FIRST = 1.0;
const COVER = 0.12;
const SLOPE_REACH = 0.5;

/// `share` of the way from one colour to another.
fn mixed(from_colour: vec3<f32>, to_colour: vec3<f32>, share: f32) -> vec3<f32> {
  return from_colour + (to_colour - from_colour) * share;
}

/// The columns around a point, and the shares of the farther ones.
struct Corners {
  columns: vec4<u32>,
  share: vec2<f32>,
}

fn corners_at(x: f32, z: f32) -> Corners {
  let inside = vec2<f32>(f32(COLUMNS_PER_CELL) * x - 0.5, f32(COLUMNS_PER_CELL) * z - 0.5);
  let low = floor(inside);
  let size = vec2<i32>(i32(COLUMNS_X), i32(COLUMNS_Z));
  let near = vec2<u32>((vec2<i32>(low) % size + size) % size);
  let far = (near + 1u) % vec2<u32>(size);
  let columns = vec4<u32>(near.x, far.x, near.x, far.x) + COLUMNS_X * vec4<u32>(near.y, near.y, far.y, far.y);
  return Corners(columns, inside - low);
}

/// Linear between the heights at the corners.
fn between(heights_there: vec4<f32>, share: vec2<f32>) -> f32 {
  let near = heights_there.x + (heights_there.y - heights_there.x) * share.x;
  let far = heights_there.z + (heights_there.w - heights_there.z) * share.x;
  return near + (far - near) * share.y;
}

fn height_at(x: f32, z: f32) -> f32 {
  let corners = corners_at(x, z);
  let at = corners.columns;
  return between(vec4<f32>(heights[at.x], heights[at.y], heights[at.z], heights[at.w]), corners.share);
}

fn terrain_at(x: f32, z: f32) -> f32 {
  let corners = corners_at(x, z);
  let at = corners.columns;
  return between(vec4<f32>(terrain[at.x], terrain[at.y], terrain[at.z], terrain[at.w]), corners.share);
}

fn ground_colour(x: f32, z: f32) -> vec3<f32> {
  let slope_x = height_at(x + SLOPE_REACH, z) - height_at(x - SLOPE_REACH, z);
  let slope_z = height_at(x, z + SLOPE_REACH) - height_at(x, z - SLOPE_REACH);
  let light = saturate(0.65 - 0.5 * slope_x + 0.2 * slope_z);
  let cover = saturate((height_at(x, z) - terrain_at(x, z)) / COVER);
  let grain = share_of(hash(SEED, column_at(wrapped(x, f32(GRID_X)), wrapped(z, f32(GRID_Z))), 62u));
  let rock = palette.rock.rgb * ((0.6 + 0.8 * grain) * (0.4 + light));
  return mixed(rock, mixed(palette.shaded_snow.rgb, palette.lit_snow.rgb, light), cover);
}

/// What the ray through a point of the picture meets.
fn cast_ray(point: vec2<f32>) -> RayEnd {
  let across = (point.x - 0.5 * f32(WIDTH)) / FOCAL;
  let up = (HORIZON - point.y) / FOCAL;
  var near = FIRST;
  var above = EYE_Y + up * near - height_at(EYE_X + across * near, EYE_Z + near);
  while (near < FAR && EYE_Y + up * near <= f32(GRID_Y)) {
    let distance = near * (1.0 + RAY_STEP);
    let next = EYE_Y + up * distance - height_at(EYE_X + across * distance, EYE_Z + distance);
    if (next > 0.0) {
      near = distance;
      above = next;
      continue;
    }
    let hit = near + (distance - near) * (above / (above - next));
    if (hit >= FAR) {
      break;
    }
    let haze = hit / FAR;
    let colour = ground_colour(EYE_X + across * hit, EYE_Z + hit);
    return RayEnd(mixed(colour, palette.fog.rgb, haze * haze), hit);
  }
  return RayEnd(mixed(palette.fog.rgb, palette.sky.rgb, saturate(2.0 * up)), FAR);
}
