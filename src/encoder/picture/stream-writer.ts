// Writes access units: the headers and the slices of coded pictures.

import type { HeaderSymbols, PictureSymbols } from '../../bitstream/picture-symbols.js';
import { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { writeGroupOfPicturesHeader } from '../../bitstream/syntax/group-of-pictures-header.js';
import { VBV_DELAY_VARIABLE, writePictureHeader } from '../../bitstream/syntax/picture-header.js';
import { writeSequenceEnd, writeSequenceHeader } from '../../bitstream/syntax/sequence-header.js';
import { writeSlices } from '../../bitstream/syntax/slice.js';
import { timeCodeOfPicture } from '../../bitstream/time-code.js';
import { SCAN } from '../../dct/scan.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import { VARIABLE_RATE_HEADER } from '../rate-control/rate-settings.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { WriteSlices } from './slice-writer.js';

/** What the headers say of the whole stream. */
export interface StreamSettings
  extends Pick<
    EncoderSettings,
    'grid' | 'pelAspectRatio' | 'pictureRate' | 'matrices' | 'constrainedParameters' | 'frameRate' | 'timeCodeStart'
  > {
  /** bit_rate and vbv_buffer_size, in units of 400 bit/s and 16,384 bits. */
  readonly bitRateUnits: number;
  readonly vbvBufferUnits: number;
}

/** The settings of a stream from those of its encode. */
export function streamSettings(settings: EncoderSettings): StreamSettings {
  const { grid, pelAspectRatio, pictureRate, matrices, constrainedParameters, frameRate, timeCodeStart } = settings;
  const { rateMode } = settings;
  const { bitRateUnits, vbvBufferUnits } = rateMode.kind === 'bit-rate' ? rateMode : VARIABLE_RATE_HEADER;
  const stream = { grid, pelAspectRatio, pictureRate, matrices, constrainedParameters, frameRate, timeCodeStart };
  return { ...stream, bitRateUnits, vbvBufferUnits };
}

/** A picture as it stands in the stream, with the headers before it. */
export interface WrittenPicture {
  readonly data: Uint8Array;
  /** The byte of `data` at which the picture header starts. */
  readonly pictureHeader: number;
}

/** The writer of a stream. A sequence header comes before each group of pictures. */
export class StreamWriter {
  readonly #settings: StreamSettings;
  readonly #writeSlices: WriteSlices;
  readonly #sink = new BitSink();

  /** `write` writes the pictures that are coded. */
  constructor(settings: StreamSettings, write: WriteSlices) {
    this.#settings = settings;
    this.#writeSlices = write;
  }

  /** A picture with the headers before it; its vbv_delay says that the rate is variable, see `setVbvDelay`. */
  accessUnit(plan: PlannedPicture, symbols: HeaderSymbols): WrittenPicture {
    return this.#accessUnit(plan, symbols, sink => this.#writeSlices(sink, symbols));
  }

  /** A picture all of whose symbols are given, with the headers before it. */
  repetition(plan: PlannedPicture, symbols: PictureSymbols): WrittenPicture {
    return this.#accessUnit(plan, symbols, sink => writeSlices(sink, symbols));
  }

  #accessUnit(plan: PlannedPicture, symbols: HeaderSymbols, write: (sink: BitSink) => void): WrittenPicture {
    const sink = this.#sink;
    if (plan.startsGroup) this.#writeGroupStart(plan);
    const pictureHeader = sink.bitLength / 8;
    writePictureHeader(sink, {
      temporalReference: plan.temporalReference,
      type: plan.type,
      vbvDelay: VBV_DELAY_VARIABLE,
      forwardFCode: symbols.forwardFCode,
      backwardFCode: symbols.backwardFCode,
    });
    write(sink);
    return { data: sink.takeBytes(), pictureHeader };
  }

  /** The bytes of sequence_end_code. */
  sequenceEnd(): Uint8Array {
    writeSequenceEnd(this.#sink);
    return this.#sink.takeBytes();
  }

  #writeGroupStart(plan: PlannedPicture): void {
    const { grid, pelAspectRatio, pictureRate, matrices, constrainedParameters } = this.#settings;
    const { frameRate, timeCodeStart, bitRateUnits, vbvBufferUnits } = this.#settings;
    writeSequenceHeader(this.#sink, {
      horizontalSize: grid.displayWidth,
      verticalSize: grid.displayHeight,
      pelAspectRatio,
      pictureRate,
      bitRate: bitRateUnits,
      vbvBufferSize: vbvBufferUnits,
      constrainedParameters,
      intraQuantizerMatrix: inScanOrder(matrices.intra),
      nonIntraQuantizerMatrix: inScanOrder(matrices.nonIntra),
    });
    writeGroupOfPicturesHeader(this.#sink, {
      timeCode: timeCodeOfPicture(timeCodeStart.picture + plan.groupStart, frameRate, timeCodeStart.dropFrameFlag),
      closedGop: plan.closedGroup,
      brokenLink: false,
    });
  }
}

function inScanOrder(matrix: Uint8Array | undefined): Uint8Array | undefined {
  return matrix && Uint8Array.from(SCAN, position => matrix[position]!);
}
