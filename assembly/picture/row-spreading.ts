// Spreads tight planes to rows of whole macroblocks.

export function spreadRows(plane: usize, width: i32, height: i32, paddedWidth: i32): void {
  for (let y = height - 1; y >= 0; y--) {
    const row = plane + <usize>(y * paddedWidth);
    const end = row + width;
    memory.copy(row, plane + <usize>(y * width), width);
    memory.fill(end, load<u8>(end - 1), paddedWidth - width);
  }
}
