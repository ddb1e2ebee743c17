// Tests of transport streams against an independent reader.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';
import { TransportStreamWriter } from '../../../src/media/containers/transport-stream.js';
import { crc32 } from '../../../src/media/containers/transport-stream-tables.js';
import { randomStream, unitsOfSizes } from './random-units.js';
import {
  groupByPayload,
  parsePes,
  parseSection,
  parseTransportPackets,
  type TransportPacket,
} from './transport-stream-model.js';

const PAL: StreamFormat = { frameRate: { numerator: 25, denominator: 1 }, width: 352, height: 288 };
const VIDEO_PID = 0x100;
const MAP_PID = 0x1000;
const FINE_TICKS = 27_000_000;

function write(format: StreamFormat, units: readonly AccessUnit[]): TransportPacket[] {
  const writer = new TransportStreamWriter(format);
  return parseTransportPackets(Buffer.concat([...units.flatMap(unit => writer.write(unit)), ...writer.end()]));
}

function expectValid(format: StreamFormat, units: readonly AccessUnit[]): void {
  const packets = write(format, units);
  const video = groupByPayload(packets.filter(({ pid }) => pid === VIDEO_PID));
  expect(video).toHaveLength(units.length);
  const period = (FINE_TICKS * format.frameRate.denominator) / format.frameRate.numerator;
  units.forEach((unit, i) => {
    const group = video[i]!;
    const pes = parsePes(group);
    expect(pes.streamId).toBe(0xe0);
    expect(Buffer.compare(pes.data, unit.data)).toBe(0);
    expect(pes.pts).toBe(Math.round(((unit.displayNumber + 3) * period) / 300));
    expect(pes.dts).toBe(Math.round(((i + 2) * period) / 300));
    // All of it is sent within one period: before the next picture's clock reference, a period before it is decoded.
    expect(group[0]!.pcr).toBe(i * period);
    const pesBytes = group.reduce((sum, { payload }) => sum + payload.length, 0);
    expect([pesBytes - 6, 0]).toContain(pes.declaredLength);
    // How JSMpeg finds a picture's end: the length, or a field in the last packet; and no field in one between.
    if (pes.declaredLength === 0) expect(group.length > 1 && group.at(-1)!.hasAdaptationField).toBe(true);
    expect(group.slice(1, -1).some(({ hasAdaptationField }) => hasAdaptationField)).toBe(false);
  });
  for (const pid of [0, MAP_PID, VIDEO_PID]) {
    const counters = packets.filter(packet => packet.pid === pid).map(({ continuityCounter }) => continuityCounter);
    expect(counters.findIndex((counter, i) => counter !== i % 16)).toBe(-1);
  }
  expectTablesInTime(packets);
}

/** Both tables come first and then every 0.1 s at most, by the clock of the next video packet. */
function expectTablesInTime(packets: readonly TransportPacket[]): void {
  for (const pid of [0, MAP_PID]) {
    let last = 0;
    let clock = 0;
    let longest = 0;
    expect(packets.findIndex(packet => packet.pid === pid)).toBeLessThan(2);
    for (const packet of packets) {
      if (packet.pcr !== undefined) clock = packet.pcr;
      if (packet.pid === pid) last = clock;
      longest = Math.max(longest, clock - last);
    }
    expect(longest).toBeLessThanOrEqual(FINE_TICKS / 10);
  }
}

describe('TransportStreamWriter', () => {
  it('carries every picture with its stamps, whatever the sizes', () => {
    fc.assert(
      fc.property(randomStream, ({ format, units }) => expectValid(format, units)),
      { seed: 13818, numRuns: 25 },
    );
  }, 60_000);

  it('ends every picture where JSMpeg sees it, at every length modulo a packet', () => {
    // Also around 65,522 bytes, from where PES_packet_length cannot say them.
    const lengths = [150, 65_450].flatMap(from => Array.from({ length: 190 }, (_, i) => from + i));
    expectValid(PAL, unitsOfSizes(lengths.map(anchor => ({ anchor, between: [] }))));
  });

  it('says in its tables that there is one MPEG-1 video', () => {
    const packets = write(PAL, unitsOfSizes([{ anchor: 100, between: [] }]));
    const [association, map] = packets.map(({ payload }) => payload);
    expect(hex(parseSection(association!)).slice(0, -8)).toBe('00b00d 0001 c1 00 00 0001 f000'.replaceAll(' ', ''));
    expect(hex(parseSection(map!)).slice(0, -8)).toBe(
      '02b012 0001 c1 00 00 e100 f000 01 e100 f000'.replaceAll(' ', ''),
    );
  });

  it('writes the first picture as the standard has it', () => {
    const writer = new TransportStreamWriter(PAL);
    const data = Uint8Array.of(0, 0, 1, 0xb3, 1, 2, 3);
    const bytes = Buffer.concat(writer.write({ data, pictureType: 'I', displayNumber: 0, codedNumber: 0 }));
    // 158 bytes of adaptation field with random access and PCR 0; 26 of PES packet with PTS 10800 and DTS 7200.
    expect(hex(bytes.subarray(376, 376 + 12))).toBe('47410030 9d 50 00000000 7e00'.replaceAll(' ', ''));
    expect(hex(bytes.subarray(-26))).toBe(
      '000001e0 0014 84 c0 0a 3100015461 1100013841 000001b3010203'.replaceAll(' ', ''),
    );
  });

  it('marks the pictures where decoding may start, and puts the tables before them', () => {
    const units = unitsOfSizes(new Array(12).fill({ anchor: 400, between: [] }));
    for (const index of [4, 6]) units[index]!.data.set([0, 0, 1, 0xb3]);
    expect([4, 6].map(index => units[index]!.pictureType)).toEqual(['I', 'P']);
    const packets = write(PAL, units);
    const starts = packets.filter(({ pid, startsPayload }) => pid === VIDEO_PID && startsPayload);
    expect(starts.map(({ randomAccess }) => randomAccess)).toEqual(units.map((_, i) => i === 4));
    const at = packets.indexOf(starts[4]!);
    expect(packets.slice(at - 2, at).map(({ pid }) => pid)).toEqual([0, MAP_PID]);
  });
});

describe('crc32', () => {
  it('is the CRC of MPEG-2 systems', () => {
    expect(crc32(Buffer.from('123456789'))).toBe(0x0376e6e7);
  });
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
