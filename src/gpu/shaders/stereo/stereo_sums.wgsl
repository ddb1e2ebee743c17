// Adds up the path costs of the eight directions. One thread adds up one word of each: four disparities of a pel.

/** As stereo_paths makes them. */
@group(0) @binding(1) var<storage, read> paths: array<u32>;
/** Sums, two to a word: range / 2 words for each pel, row by row. */
@group(0) @binding(2) var<storage, read_write> sums: array<vec2u>;

/** Threads of a workgroup, side by side. */
const GROUP_WORDS = 64u;
const DIRECTIONS = 8u;

@compute @workgroup_size(GROUP_WORDS)
fn stereo_sums(@builtin(global_invocation_id) id: vec3u) {
  let rowWords = parameters.width * parameters.range / 4u;
  if (id.x >= rowWords) {
    return;
  }
  let index = id.y * rowWords + id.x;
  var total = vec4u();
  for (var direction = 0u; direction < DIRECTIONS; direction++) {
    total += unpack4xU8(paths[direction * rowWords * parameters.height + index]);
  }
  sums[index] = vec2u(total.x | (total.y << 16u), total.z | (total.w << 16u));
}
