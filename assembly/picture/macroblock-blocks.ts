// Where the blocks of a macroblock lie in a picture.
import { PicturePlanes } from '../generated/records';

/** The first pel of a macroblock's luma. */
// @ts-ignore: decorator
@inline
export function lumaOf(planes: PicturePlanes, mbX: i32, mbY: i32): usize {
  return planes.y + <usize>(mbY * 16 * <i32>planes.lumaStride + mbX * 16);
}

/** Distance of a macroblock's chroma from the first pel of its plane. */
// @ts-ignore: decorator
@inline
export function chromaOffset(planes: PicturePlanes, mbX: i32, mbY: i32): usize {
  return <usize>(mbY * 8 * <i32>planes.chromaStride + mbX * 8);
}
