// Converts a picture of RGB to the planes of a 4:2:0 frame, as rgbToFrame in src/picture/rgb-to-frame.ts does.
//
// The planes are tight, as those of a Frame are, and each starts at a whole word:
//
//     | Y: width * height bytes | U: a quarter | V: a quarter |
//
// One thread makes one word of luma, four samples, and one word of U and of V while there are any.

struct RgbToFrameParameters {
  /** Size of the picture in pels. */
  width: u32,
  height: u32,
  /** What is seen behind pels that are not opaque: R, G, B in the low three bytes. */
  background: u32,
}

/** Size of the picture and its background. */
@group(0) @binding(0) var<uniform> parameters: RgbToFrameParameters;
/** The picture: R, G, B, each multiplied by A, and A, all 0..1 in steps of 1/255. */
@group(0) @binding(1) var picture: texture_2d<f32>;
/** The planes, four samples to a word, the first in the low byte. */
@group(0) @binding(2) var<storage, read_write> planes: array<u32>;

/** Threads of a workgroup. */
const GROUP_WORDS = 64u;
/** Threads in a row of workgroups: more would leave no room for the largest picture. */
const ROW_WORDS = 4096u;

/** The matrix in fixed point, from rgb-to-frame.ts: 16 bits for luma, 18 bits for sums of four pels. */
override Y_R: i32;
override Y_G: i32;
override Y_B: i32;
override CB_R: i32;
override CB_G: i32;
override CB_B: i32;
override CR_R: i32;
override CR_G: i32;
override CR_B: i32;
override Y_OFFSET: i32;
override C_OFFSET: i32;

/** The pel at (x, y) over the background, 0..255. The background's weight is 256 - A, as Chromium's canvas has it. */
fn pel(x: u32, y: u32) -> vec3i {
  let bytes = vec4u(textureLoad(picture, vec2u(x, y), 0) * 255.0 + 0.5);
  let behind = (unpack4xU8(parameters.background).rgb * (256u - bytes.a)) >> vec3u(8u);
  return vec3i(min(bytes.rgb + behind, vec3u(255u)));
}

/** The luma sample number `index`; 0 behind the last. */
fn luma(index: u32) -> u32 {
  if (index >= parameters.width * parameters.height) {
    return 0u;
  }
  let rgb = pel(index % parameters.width, index / parameters.width);
  return u32((Y_R * rgb.r + Y_G * rgb.g + Y_B * rgb.b + Y_OFFSET) >> 16u);
}

/** The samples of U and V number `index`: of the mean of 2x2 pels, where an edge of odd size counts twice. */
fn chroma(index: u32) -> vec2u {
  let width = (parameters.width + 1u) / 2u;
  let left = 2u * (index % width);
  let top = 2u * (index / width);
  if (top >= parameters.height) {
    return vec2u();
  }
  let right = min(left + 1u, parameters.width - 1u);
  let bottom = min(top + 1u, parameters.height - 1u);
  let sum = pel(left, top) + pel(right, top) + pel(left, bottom) + pel(right, bottom);
  let u = CB_R * sum.r + CB_G * sum.g + CB_B * sum.b + C_OFFSET;
  let v = CR_R * sum.r + CR_G * sum.g + CR_B * sum.b + C_OFFSET;
  return vec2u(u32(u >> 18u), u32(v >> 18u));
}

@compute @workgroup_size(GROUP_WORDS)
fn rgb_to_frame(@builtin(global_invocation_id) id: vec3u) {
  let word = id.y * ROW_WORDS + id.x;
  let lumaWords = (parameters.width * parameters.height + 3u) / 4u;
  let chromaSamples = ((parameters.width + 1u) / 2u) * ((parameters.height + 1u) / 2u);
  let chromaWords = (chromaSamples + 3u) / 4u;
  let first = 4u * word;
  if (word < lumaWords) {
    planes[word] = pack4xU8(vec4u(luma(first), luma(first + 1u), luma(first + 2u), luma(first + 3u)));
  }
  if (word < chromaWords) {
    let a = chroma(first);
    let b = chroma(first + 1u);
    let c = chroma(first + 2u);
    let d = chroma(first + 3u);
    planes[lumaWords + word] = pack4xU8(vec4u(a.x, b.x, c.x, d.x));
    planes[lumaWords + chromaWords + word] = pack4xU8(vec4u(a.y, b.y, c.y, d.y));
  }
}
