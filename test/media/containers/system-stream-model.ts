// A demultiplexer and system target decoder for tests; it shares no code with the writer.

/*
 * Written from the syntax of ISO/IEC 11172-1 alone, for streams with one video and at most one sound. All times are in
 * ticks of 90 kHz.
 */

/** Where an access unit starts in the elementary stream, and its stamps. */
export interface StampedUnit {
  readonly offset: number;
  readonly pts: number;
  readonly dts: number;
}

/** Bytes of the elementary stream that arrive one after the other at the same rate. */
interface Arrival {
  readonly from: number;
  readonly to: number;
  readonly bytesBefore: number;
  readonly bytes: number;
}

/** An elementary stream: its bytes, its stamps, when it arrives, and its buffer. */
export interface ArrivingStream {
  readonly data: Uint8Array;
  readonly units: readonly StampedUnit[];
  readonly arrivals: readonly Arrival[];
  /** STD_buffer_size_bound in bytes; -1 if the system header gives none. */
  readonly bufferBound: number;
  /** STD_buffer_size of each packet that gives one, in bytes. */
  readonly bufferSizes: readonly number[];
}

export interface SystemStream {
  readonly video: ArrivingStream;
  /** Its units are packets with a stamp, see `soundFrames`. Empty where there is none. */
  readonly sound: ArrivingStream;
  readonly packs: readonly { readonly scr: number; readonly muxRate: number; readonly bytes: number }[];
  /** Lengths of the packets of video and sound, their headers counted. */
  readonly packetBytes: readonly number[];
  readonly rateBound: number;
  readonly audioBound: number;
}

/** Bytes from a pack's first to the last one with bits of the SCR, whose arrival the SCR tells. */
const SCR_END_BYTES = 9;

/** Takes a whole stream apart; throws at the first byte that the syntax does not allow. */
export function parseSystemStream(bytes: Uint8Array): SystemStream {
  const streams = { 224: emptyStream(), 192: emptyStream() };
  const packs: { scr: number; muxRate: number; bytes: number }[] = [];
  const packetBytes: number[] = [];
  let rateBound = -1;
  let audioBound = -1;
  let packAt = 0;
  let at = 0;
  const fail = (what: string): never => {
    throw new Error(`system stream, byte ${at}: ${what}`);
  };
  const uint16 = (p: number) => (bytes[p]! << 8) | bytes[p + 1]!;
  const code = (p: number) => (uint16(p) === 0 && bytes[p + 2] === 1 ? bytes[p + 3]! : fail(`no start code at ${p}`));
  const stamp = (p: number, prefix: number): number => {
    const [a, b, c, d, e] = bytes.subarray(p, p + 5) as unknown as [number, number, number, number, number];
    if (a >> 4 !== prefix || !(a & 1) || !(c & 1) || !(e & 1)) fail(`bad time stamp at ${p}`);
    return ((a >> 1) & 7) * 2 ** 30 + ((b << 7) | (c >> 1)) * 2 ** 15 + ((d << 7) | (e >> 1));
  };
  const endPack = () => {
    const pack = packs.at(-1);
    if (pack) pack.bytes = at - packAt;
  };
  const readSystemHeader = () => {
    if (at !== packAt + 12) fail('a system header must follow a pack header');
    const length = uint16(at + 4);
    if (bytes[at + 11] !== 0xff) fail('bad system header');
    if (!(bytes[at + 6]! & 0x80) || !(bytes[at + 8]! & 1) || (bytes[at + 10]! & 0x20) === 0) fail('bad marker');
    rateBound = ((bytes[at + 6]! & 0x7f) << 15) | (bytes[at + 7]! << 7) | (bytes[at + 8]! >> 1);
    audioBound = Math.max(audioBound, bytes[at + 9]! >> 2);
    for (let p = at + 12; p < at + 6 + length; p += 3) {
      const id = bytes[p] as 224 | 192;
      const stream = streams[id] ?? fail(`the system header names stream ${id}`);
      if (bytes[p + 1]! >> 5 !== (id === 192 ? 0b110 : 0b111))
        fail('STD_buffer_bound_scale is 1 for video, 0 for sound');
      stream.bufferBound = (uint16(p + 1) & 0x1fff) * (id === 192 ? 128 : 1024);
    }
    at += 6 + length;
  };
  const readPadding = () => {
    const end = at + 6 + uint16(at + 4);
    if (bytes[at + 6] !== 0x0f) fail('bad header of a padding packet');
    if (bytes.subarray(at + 7, end).some(byte => byte !== 0xff)) fail('padding is not 0xFF');
    at = end;
  };
  const readPacket = (stream: OpenStream) => {
    const end = at + 6 + uint16(at + 4);
    if (end > bytes.length) fail('packet is cut off');
    let p = at + 6;
    while (bytes[p] === 0xff) p++;
    if (bytes[p]! >> 6 === 0b01) {
      stream.bufferSizes.push((uint16(p) & 0x1fff) * (uint16(p) & 0x2000 ? 1024 : 128));
      p += 2;
    }
    if (bytes[p]! >> 4 === 0b0010) {
      const pts = stamp(p, 0b0010);
      stream.units.push({ offset: stream.bytes, pts, dts: pts });
      p += 5;
    } else if (bytes[p]! >> 4 === 0b0011) {
      stream.units.push({ offset: stream.bytes, pts: stamp(p, 0b0011), dts: stamp(p + 5, 0b0001) });
      p += 10;
    } else if (bytes[p] !== 0x0f) {
      fail('bad packet header');
    } else {
      p += 1;
    }
    const { scr, muxRate } = packs.at(-1) ?? fail('a packet before the first pack');
    const arrivalOf = (position: number) => scr + ((position - packAt - SCR_END_BYTES) * 90_000) / (muxRate * 50);
    stream.arrivals.push({ from: arrivalOf(p), to: arrivalOf(end), bytesBefore: stream.bytes, bytes: end - p });
    stream.parts.push(bytes.subarray(p, end));
    stream.bytes += end - p;
    packetBytes.push(end - at);
    at = end;
  };
  for (;;) {
    // A Video CD's sectors of sound end in 20 zero bytes.
    if (at - packAt === 2304 && bytes.subarray(at, at + 20).every(byte => byte === 0)) at += 20;
    const startCode = code(at);
    if (startCode === 0xba) {
      endPack();
      packAt = at;
      if (!(bytes[at + 9]! & 0x80) || !(bytes[at + 11]! & 1)) fail('bad marker around mux_rate');
      const muxRate = ((bytes[at + 9]! & 0x7f) << 15) | (bytes[at + 10]! << 7) | (bytes[at + 11]! >> 1);
      packs.push({ scr: stamp(at + 4, 0b0010), muxRate, bytes: 0 });
      at += 12;
    } else if (startCode === 0xbb) {
      readSystemHeader();
    } else if (startCode === 0xe0 || startCode === 0xc0) {
      readPacket(streams[startCode]);
    } else if (startCode === 0xbe) {
      readPadding();
    } else if (startCode === 0xb9) {
      endPack();
      if (at + 4 !== bytes.length) fail('bytes follow iso_11172_end_code');
      break;
    } else {
      fail(`unexpected start code ${startCode.toString(16)}`);
    }
  }
  return { video: closed(streams[224]), sound: closed(streams[192]), packs, packetBytes, rateBound, audioBound };
}

interface OpenStream {
  readonly parts: Uint8Array[];
  bytes: number;
  readonly units: StampedUnit[];
  readonly arrivals: Arrival[];
  bufferBound: number;
  readonly bufferSizes: number[];
}

const emptyStream = (): OpenStream => ({
  parts: [],
  bytes: 0,
  units: [],
  arrivals: [],
  bufferBound: -1,
  bufferSizes: [],
});

function closed({ parts, bytes: _, ...stream }: OpenStream): ArrivingStream {
  return { ...stream, data: Buffer.concat(parts) };
}

const LAYER_TWO_KILOBITS = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];

/**
 * The frames of an MPEG-1 Layer II stream, each decoded and presented at its stamp, or that of the packet in which the
 * last stamped frame starts and the samples since then; a stamp is that of the first frame that starts in its packet.
 */
export function soundFrames({ data, units }: ArrivingStream): StampedUnit[] {
  const frames: StampedUnit[] = [];
  let stamped = 0;
  let last = { pts: Number.NaN, frame: 0 };
  for (let offset = 0; offset < data.length; ) {
    const rate = [44_100, 48_000, 32_000][(data[offset + 2]! >> 2) & 3]!;
    const kilobits = LAYER_TWO_KILOBITS[data[offset + 2]! >> 4]!;
    if (data[offset] !== 0xff || data[offset + 1]! >> 1 !== 0x7e) throw new Error(`no frame of sound at ${offset}`);
    if (stamped < units.length && units[stamped]!.offset <= offset) {
      while (units[stamped + 1] && units[stamped + 1]!.offset <= offset) stamped++;
      last = { pts: units[stamped++]!.pts, frame: frames.length };
    }
    const pts = last.pts + ((frames.length - last.frame) * 1152 * 90_000) / rate;
    frames.push({ offset, pts, dts: pts });
    offset += Math.floor((144_000 * kilobits) / rate) + ((data[offset + 2]! >> 1) & 1);
  }
  return frames;
}

/** What the system target decoder found; times in ticks. */
export interface StdReport {
  readonly violations: string[];
  /** Highest fill of the video's buffer in bytes. */
  readonly peakBytes: number;
  /** Longest stay of a byte in it. */
  readonly longestStay: number;
  /** Highest fill of the sound's buffer. */
  readonly soundPeakBytes: number;
}

const MAX_CLOCK_INTERVAL = 0.7 * 90_000;
const MAX_STAY = 90_000;
/** Rounding of the arithmetic on doubles. */
const EPSILON = 1e-6;

/**
 * Plays the stream against the system target decoder of ISO/IEC 11172-1 §2.4.2 and lists everything that breaks it.
 */
export function runSystemTargetDecoder(stream: SystemStream): StdReport {
  const violations: string[] = [];
  const check = (ok: boolean, problem: string) => {
    if (!ok) violations.push(problem);
  };
  stream.packs.forEach((pack, i) => {
    check(pack.muxRate > 0 && pack.muxRate <= stream.rateBound, `pack ${i}: mux_rate ${pack.muxRate} is out of bounds`);
    const next = stream.packs[i + 1];
    if (next === undefined) return;
    const allIn = pack.scr + (pack.bytes * 90_000) / (pack.muxRate * 50);
    check(allIn <= next.scr + EPSILON, `pack ${i}: its bytes last until ${allIn}, the next SCR is ${next.scr}`);
    check(next.scr - pack.scr <= MAX_CLOCK_INTERVAL, `pack ${i}: ${next.scr - pack.scr} ticks to the next SCR`);
  });
  const video = runBuffer(stream.video, 'unit', check);
  const { sound } = stream;
  if (sound.data.length === 0) return { violations, ...video, soundPeakBytes: 0 };
  check(stream.audioBound === 1, `audio_bound ${stream.audioBound}`);
  const gaps = sound.units.map((unit, i) => unit.pts - (sound.units[i - 1] ?? unit).pts);
  check(Math.max(...gaps) <= MAX_CLOCK_INTERVAL, 'more than 0.7 s between two stamps of the sound');
  const { peakBytes } = runBuffer({ ...sound, units: soundFrames(sound) }, 'frame of sound', check);
  return { violations, ...video, soundPeakBytes: peakBytes };
}

/** Plays an elementary stream against its buffer. */
function runBuffer(
  stream: ArrivingStream,
  name: string,
  check: (ok: boolean, problem: string) => void,
): { peakBytes: number; longestStay: number } {
  const bufferBytes = stream.bufferSizes[0] ?? -1;
  for (const bytes of stream.bufferSizes) {
    check(
      bytes === bufferBytes && bytes <= stream.bufferBound,
      `STD_buffer_size ${bytes}, bound ${stream.bufferBound}`,
    );
  }
  let longestStay = 0;
  stream.units.forEach((unit, i) => {
    const end = stream.units[i + 1]?.offset ?? stream.data.length;
    const complete = arrivalOfByte(stream, end - 1);
    check(complete <= unit.dts + EPSILON, `${name} ${i}: complete at ${complete}, decoded at ${unit.dts}`);
    check(unit.pts >= unit.dts, `${name} ${i}: presented at ${unit.pts}, decoded at ${unit.dts}`);
    check(i === 0 || unit.dts > stream.units[i - 1]!.dts, `${name} ${i}: DTS does not grow`);
    longestStay = Math.max(longestStay, unit.dts - arrivalOfByte(stream, unit.offset));
  });
  check(longestStay <= MAX_STAY, `a byte stays for ${longestStay} ticks`);

  // The fill grows as bytes arrive and drops at each DTS: its peaks are just before a DTS and at the end of a packet.
  let peakBytes = 0;
  let removed = 0;
  let unit = 0;
  for (const arrival of stream.arrivals) {
    for (; unit < stream.units.length && stream.units[unit]!.dts < arrival.to; unit++) {
      const dts = stream.units[unit]!.dts;
      const share = Math.min(1, Math.max(0, (dts - arrival.from) / (arrival.to - arrival.from)));
      peakBytes = Math.max(peakBytes, arrival.bytesBefore + share * arrival.bytes - removed);
      removed = stream.units[unit + 1]?.offset ?? stream.data.length;
    }
    peakBytes = Math.max(peakBytes, arrival.bytesBefore + arrival.bytes - removed);
  }
  check(peakBytes <= bufferBytes, `the buffer of ${bufferBytes} bytes would hold ${peakBytes} (${name})`);
  return { peakBytes, longestStay };
}

/** When byte `offset` of the elementary stream has arrived. */
function arrivalOfByte({ arrivals }: Pick<ArrivingStream, 'arrivals'>, offset: number): number {
  let low = 0;
  let high = arrivals.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (arrivals[middle]!.bytesBefore <= offset) low = middle;
    else high = middle - 1;
  }
  const { from, to, bytesBefore, bytes } = arrivals[low]!;
  return from + ((offset + 1 - bytesBefore) * (to - from)) / bytes;
}
