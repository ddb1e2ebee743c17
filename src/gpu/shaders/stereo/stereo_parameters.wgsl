// What all passes of semi-global matching share; src/kernels/contracts/stereo-kernels.ts defines what they compute.

struct StereoParameters {
  /** Size of both pictures in pels. */
  width: u32,
  height: u32,
  /** Number of disparities. */
  range: u32,
  /** The penalty for a step of one disparity. */
  p1: u32,
}

/** Size of the pictures, range and penalty: the same for all passes. */
@group(0) @binding(0) var<uniform> parameters: StereoParameters;

/** A disparity that is not known. */
const UNKNOWN = -1;

/** `value` in 0..size - 1: outside a picture, its edge repeats. */
fn inside(value: i32, size: u32) -> u32 {
  return u32(clamp(value, 0, i32(size) - 1));
}
