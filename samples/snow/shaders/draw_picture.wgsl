// Draws a tile of a picture, one macroblock, into 4:2:0 planes. Readable twin: picture/draw-picture.ts.

const TILE = 16u;
const THREADS = 256u;
/// Words of a tile's luma; of each of its chroma planes.
const LUMA_WORDS = 64u;
const CHROMA_WORDS = 16u;

@group(0) @binding(0) var<uniform> palette: Palette;
@group(0) @binding(1) var<storage, read> flakes: array<Flake>;
/// Sorted; see picture/tile-entries.ts.
@group(0) @binding(2) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<storage, read> numbers: array<u32>;
/// In cells, one a column.
@group(0) @binding(4) var<storage, read> heights: array<f32>;
@group(0) @binding(5) var<storage, read> terrain: array<f32>;
/// Y, then U, then V, bytes row by row, of the coded size.
@group(0) @binding(6) var<storage, read_write> planes: array<u32>;

/// The first entry of this tile and of the next one.
var<workgroup> bounds: array<u32, 2>;
/// A portion of the tile's flakes.
var<workgroup> portion: array<SeenFlake, THREADS>;
/// Y, Cb and Cr of the tile's pels.
var<workgroup> pels: array<vec3<f32>, THREADS>;

/// The first of the sorted entries whose tile is `tile` or a later one.
fn first_entry_of(tile: u32) -> u32 {
  var low = 0u;
  var high = arrayLength(&keys);
  while (low < high) {
    let middle = (low + high) / 2u;
    if ((keys[middle] >> 16u) < tile) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

/// BT.601 of limited range, not rounded.
fn limited_bt601(colour: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(
    16.0 + dot(vec3<f32>(65.481, 128.553, 24.966), colour),
    128.0 + dot(vec3<f32>(-37.797, -74.203, 112.0), colour),
    128.0 + dot(vec3<f32>(112.0, -93.786, -18.214), colour),
  );
}

fn byte_of(value: f32) -> u32 {
  return u32(value + 0.5);
}

fn luma_word(word: u32) -> u32 {
  var bytes = 0u;
  for (var at = 0u; at < 4u; at++) {
    bytes |= byte_of(pels[4u * word + at].x) << (8u * at);
  }
  return bytes;
}

/// Four samples of a chroma plane, 0 or 1; samples beyond `last` repeat it.
fn chroma_word(word: u32, plane: u32, last: vec2<u32>) -> u32 {
  var bytes = 0u;
  for (var at = 0u; at < 4u; at++) {
    let sample = min(vec2<u32>(4u * (word & 1u) + at, word >> 1u), last);
    let corner = 2u * sample.x + TILE * 2u * sample.y;
    let sum = pels[corner] + pels[corner + 1u] + pels[corner + TILE] + pels[corner + TILE + 1u];
    let mean = select(sum.y, sum.z, plane == 1u) / 4.0;
    bytes |= byte_of(mean) << (8u * at);
  }
  return bytes;
}

@compute @workgroup_size(THREADS)
fn draw_picture(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let corner = TILE * group.xy;
  let pel = min(vec2<u32>(WIDTH, HEIGHT) - 1u, corner + vec2<u32>(thread % TILE, thread / TILE));
  let point = vec2<f32>(pel) + 0.5;
  if (thread < 2u) {
    bounds[thread] = first_entry_of(group.x + TILES_X * group.y + thread);
  }
  let behind = cast_ray(point);
  var colour = behind.colour;
  let end = workgroupUniformLoad(&bounds[1]);
  for (var first = workgroupUniformLoad(&bounds[0]); first < end; first += THREADS) {
    if (first + thread < end) {
      portion[thread] = seen_flake(numbers[first + thread]);
    }
    workgroupBarrier();
    for (var at = 0u; at < min(THREADS, end - first); at++) {
      let flake = portion[at];
      let away = point - flake.middle;
      let coverage = flake.opacity * saturate(flake.radius + 0.5 - sqrt(dot(away, away)));
      if (flake.distance < behind.distance && coverage > 0.0) {
        colour = mixed(colour, mixed(palette.flake.rgb, palette.fog.rgb, flake.distance / FAR), coverage);
      }
    }
    workgroupBarrier();
  }
  pels[thread] = limited_bt601(colour);
  workgroupBarrier();
  if (thread < LUMA_WORDS) {
    let row = corner.y + thread / 4u;
    planes[(corner.x + CODED_WIDTH * row) / 4u + thread % 4u] = luma_word(thread);
  } else if (thread < LUMA_WORDS + 2u * CHROMA_WORDS) {
    let plane = (thread - LUMA_WORDS) / CHROMA_WORDS;
    let word = (thread - LUMA_WORDS) % CHROMA_WORDS;
    let last = (vec2<u32>(WIDTH, HEIGHT) - 1u) / 2u - corner / 2u;
    let start = CODED_WIDTH * CODED_HEIGHT * (4u + plane) / 4u;
    let row = corner.y / 2u + word / 2u;
    planes[(start + corner.x / 2u + CODED_WIDTH / 2u * row) / 4u + word % 2u] = chroma_word(word, plane, last);
  }
}
