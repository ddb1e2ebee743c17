// What the first bytes of a video say: its kind, where ffmpeg may guess wrong, and how long it should be.
import { startsWithSequenceHeader } from '../containers/elementary-stream.js';
import { Y4M_MAGIC } from './y4m/y4m-header.js';

/** What the first bytes of a video say. */
export interface VideoSignature {
  readonly isY4m: boolean;
  /** True: the bytes are text. */
  readonly isText: boolean;
  /** ffmpeg's name of the kind, where the bytes leave no doubt: ffmpeg takes small files for other kinds. */
  readonly demuxer?: 'mpegts' | 'mpeg' | 'mpegvideo' | 'mjpeg';
  /** What says that a file of this length lacks bytes; undefined if it may be whole. */
  readonly missing?: string;
}

/** ISO/IEC 13818-1 §2.4.3.2: packets of this length, each with a sync byte at its start. */
const TRANSPORT_PACKET_BYTES = 188;
/** First bytes that are enough for `readVideoSignature`; more make it surer. */
export const MIN_SIGNATURE_BYTES = TRANSPORT_PACKET_BYTES;
/** Tab, line feed, form feed, carriage return, and the escape that colours text. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);
const SYNC_BYTE = 0x47;
/** Packets that are looked at: a long stream may have a fault. */
const MAX_PACKETS = 5;
/** ISO/IEC 11172-1 §2.4.3.2: pack_start_code. */
const PACK_START_CODE = [0, 0, 1, 0xba];
/** ITU-T T.81, B.1.1.3: the marker SOI and the start of another one. A file of JPEGs, one after the other. */
const JPEG_START = [0xff, 0xd8, 0xff];
/** Bytes of RIFF's tag and of the length that follows it. */
const RIFF_HEADER_BYTES = 8;

/** Reads the first bytes of a file or a pipe. `fileBytes` is the length of the file, undefined for a pipe. */
export function readVideoSignature(head: Uint8Array, fileBytes: number | undefined): VideoSignature {
  const isY4m = startsWith(
    head,
    [...Y4M_MAGIC].map(letter => letter.charCodeAt(0)),
  );
  const isText = head.length > 0 && !head.some(byte => byte < 0x20 && !TEXT_CONTROLS.has(byte));
  const common = { isY4m, isText };
  if (startsWithSequenceHeader(head)) return { ...common, demuxer: 'mpegvideo' };
  if (startsWith(head, PACK_START_CODE)) return { ...common, demuxer: 'mpeg' };
  if (startsWith(head, JPEG_START)) return { ...common, demuxer: 'mjpeg' };
  if (isTransportStream(head)) {
    const rest = (fileBytes ?? 0) % TRANSPORT_PACKET_BYTES;
    return { ...common, demuxer: 'mpegts', ...(rest > 0 && { missing: `its last packet has ${rest} of 188 bytes` }) };
  }
  const riffBytes = lengthOfRiff(head);
  const isShort = riffBytes !== undefined && fileBytes !== undefined && fileBytes < riffBytes;
  return { ...common, ...(isShort && { missing: `it has ${fileBytes} of ${riffBytes} bytes` }) };
}

/** Whether there is a sync byte at the start of each packet. */
function isTransportStream(head: Uint8Array): boolean {
  if (head.length < TRANSPORT_PACKET_BYTES) return false;
  for (let at = 0; at < Math.min(head.length, MAX_PACKETS * TRANSPORT_PACKET_BYTES); at += TRANSPORT_PACKET_BYTES)
    if (head[at] !== SYNC_BYTE) return false;
  return true;
}

/** The length of a file whose first list is a RIFF list, such as AVI, to the end of that list. */
function lengthOfRiff(head: Uint8Array): number | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length < RIFF_HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  return RIFF_HEADER_BYTES + bytes.readUInt32LE(4);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
