// A reader of ISO/IEC 13818-1 transport streams for tests; it shares no code with the writer.

export interface TransportPacket {
  readonly pid: number;
  readonly startsPayload: boolean;
  readonly continuityCounter: number;
  readonly hasAdaptationField: boolean;
  readonly randomAccess: boolean;
  /** In ticks of 27 MHz. */
  readonly pcr?: number | undefined;
  readonly payload: Uint8Array;
}

export interface PesPacket {
  readonly streamId: number;
  readonly declaredLength: number;
  /** In ticks of 90 kHz. */
  readonly pts: number;
  readonly dts: number;
  readonly data: Uint8Array;
}

/** Splits a stream into its packets; throws where the syntax is broken. */
export function parseTransportPackets(bytes: Uint8Array): TransportPacket[] {
  if (bytes.length % 188 !== 0) throw new Error(`${bytes.length} bytes are no whole number of transport packets`);
  return Array.from({ length: bytes.length / 188 }, (_, i) => parsePacket(bytes.subarray(i * 188, (i + 1) * 188), i));
}

function parsePacket(packet: Uint8Array, index: number): TransportPacket {
  const view = new DataView(packet.buffer, packet.byteOffset, 188);
  const fail = (what: string): never => {
    throw new Error(`transport packet ${index}: ${what}`);
  };
  if (view.getUint8(0) !== 0x47) fail('no sync byte');
  if (view.getUint8(1) & 0xa0 || view.getUint8(3) & 0xc0) fail('unexpected error, priority or scrambling');
  const control = (view.getUint8(3) >> 4) & 3;
  if ((control & 1) === 0) fail('no payload');
  let payloadAt = 4;
  let flags = 0;
  let pcr: number | undefined;
  if (control & 2) {
    const length = view.getUint8(4);
    payloadAt = 5 + length;
    if (payloadAt >= 188) fail('the adaptation field leaves no payload');
    flags = length > 0 ? view.getUint8(5) : 0;
    let stuffingAt = 6;
    if (flags & 0x10) {
      pcr = (view.getUint32(6) * 2 + (view.getUint8(10) >> 7)) * 300 + (view.getUint16(10) & 0x1ff);
      stuffingAt = 12;
    }
    if (flags & 0x8f) fail('unexpected flags');
    if (packet.subarray(stuffingAt, payloadAt).some(byte => byte !== 0xff)) fail('stuffing is not 0xFF');
  }
  return {
    pid: view.getUint16(1) & 0x1fff,
    startsPayload: (view.getUint8(1) & 0x40) !== 0,
    continuityCounter: view.getUint8(3) & 0xf,
    hasAdaptationField: (control & 2) !== 0,
    randomAccess: (flags & 0x40) !== 0,
    pcr,
    payload: packet.subarray(payloadAt),
  };
}

/** Puts the packets of one PID together by the payloads that they start. */
export function groupByPayload(packets: readonly TransportPacket[]): TransportPacket[][] {
  const groups: TransportPacket[][] = [];
  for (const packet of packets) {
    if (packet.startsPayload) groups.push([]);
    groups.at(-1)!.push(packet);
  }
  return groups;
}

/** The PES packet that a group of transport packets carries. */
export function parsePes(group: readonly TransportPacket[]): PesPacket {
  const bytes = Buffer.concat(group.map(({ payload }) => payload));
  if (bytes.readUIntBE(0, 3) !== 1) throw new Error('no packet_start_code_prefix');
  const flags = bytes[7]! >> 6;
  if (bytes[6]! >> 6 !== 0b10 || bytes[7]! & 0x3f || flags < 2) throw new Error('unexpected PES flags');
  const headerEnd = 9 + bytes[8]!;
  const pts = readStamp(bytes, 9, flags);
  const dts = flags === 3 ? readStamp(bytes, 14, 1) : pts;
  const stamps = flags === 3 ? 10 : 5;
  if (bytes.subarray(9 + stamps, headerEnd).some(byte => byte !== 0xff)) throw new Error('PES stuffing is not 0xFF');
  return { streamId: bytes[3]!, declaredLength: bytes.readUInt16BE(4), pts, dts, data: bytes.subarray(headerEnd) };
}

function readStamp(bytes: Buffer, at: number, prefix: number): number {
  const middle = bytes.readUInt16BE(at + 1);
  const low = bytes.readUInt16BE(at + 3);
  if (bytes[at]! >> 4 !== prefix || !(bytes[at]! & middle & low & 1)) throw new Error('bad time stamp');
  return ((bytes[at]! >> 1) & 7) * 2 ** 30 + (middle >> 1) * 2 ** 15 + (low >> 1);
}

/** The section in a payload, its CRC checked by division: the remainder over the section with its CRC_32 is 0. */
export function parseSection(payload: Uint8Array): Uint8Array {
  const start = 1 + payload[0]!;
  const length = 3 + (((payload[start + 1]! & 0xf) << 8) | payload[start + 2]!);
  const section = payload.subarray(start, start + length);
  if (payload.subarray(start + length).some(byte => byte !== 0xff)) throw new Error('section stuffing is not 0xFF');
  let remainder = 0xffffffffn;
  for (const byte of section) {
    remainder ^= BigInt(byte) << 24n;
    for (let bit = 0; bit < 8; bit++) {
      remainder <<= 1n;
      if (remainder >> 32n) remainder ^= 0x104c11db7n;
    }
  }
  if (remainder !== 0n) throw new Error('CRC_32 is wrong');
  return section;
}
