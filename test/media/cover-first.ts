// An MP4 whose cover comes before its tracks.

/** The same MP4, its box `udta`, which has the cover, before the tracks. */
export function withCoverFirst(file: Buffer): Buffer {
  const moov = file.lastIndexOf('moov') - 4;
  const end = moov + file.readUInt32BE(moov);
  const boxes: Buffer[] = [];
  for (let at = moov + 8; at < end; at += boxes.at(-1)!.length) {
    boxes.push(file.subarray(at, at + file.readUInt32BE(at)));
  }
  const isCover = (box: Buffer) => box.toString('latin1', 4, 8) === 'udta';
  const sorted = boxes.toSorted((a, b) => Number(isCover(b)) - Number(isCover(a)));
  return Buffer.concat([file.subarray(0, moov + 8), ...sorted, file.subarray(end)]);
}
