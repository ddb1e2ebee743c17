// Writes access units: the headers and the slices of coded pictures.

import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { writeGroupOfPicturesHeader } from '../../bitstream/syntax/group-of-pictures-header.js';
import { VBV_DELAY_VARIABLE, writePictureHeader } from '../../bitstream/syntax/picture-header.js';
import { writeSequenceEnd, writeSequenceHeader } from '../../bitstream/syntax/sequence-header.js';
import { type CoefficientWriter, writeSlices } from '../../bitstream/syntax/slice.js';
import { timeCodeOfPicture } from '../../bitstream/time-code.js';
import { SCAN } from '../../dct/scan.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import { VARIABLE_RATE_HEADER } from '../rate-control/rate-settings.js';
import type { EncoderSettings } from '../settings/resolve-options.js';

/** The writer of a stream. A sequence header comes before each group of pictures. */
export class StreamWriter {
  readonly #options: EncoderSettings;
  readonly #writeBlock: CoefficientWriter | undefined;
  readonly #sink = new BitSink();

  /** `writeBlock` may be a faster equal of writeCoefficients. */
  constructor(options: EncoderSettings, writeBlock?: CoefficientWriter) {
    this.#options = options;
    this.#writeBlock = writeBlock;
  }

  /**
   * The bytes of a picture with the headers before it. `vbvDelay` gives its vbv_delay, in ticks of 90 kHz, from the
   * bits of the access unit before the picture header; where it gives none, vbv_delay says that the rate is variable.
   */
  accessUnit(
    plan: PlannedPicture,
    symbols: PictureSymbols,
    vbvDelay?: (headerBits: number) => number | undefined,
  ): Uint8Array {
    const sink = this.#sink;
    if (plan.startsGroup) this.#writeGroupStart(plan);
    writePictureHeader(sink, {
      temporalReference: plan.temporalReference,
      type: plan.type,
      vbvDelay: vbvDelay?.(sink.bitLength) ?? VBV_DELAY_VARIABLE,
      forwardFCode: symbols.forwardFCode,
      backwardFCode: symbols.backwardFCode,
    });
    writeSlices(sink, symbols, this.#writeBlock);
    return sink.takeBytes();
  }

  /** The bytes of sequence_end_code. */
  sequenceEnd(): Uint8Array {
    writeSequenceEnd(this.#sink);
    return this.#sink.takeBytes();
  }

  #writeGroupStart(plan: PlannedPicture): void {
    const { grid, pelAspectRatio, pictureRate, matrices, rateMode, constrainedParameters } = this.#options;
    const { frameRate, timeCodeStart } = this.#options;
    const { bitRateUnits, vbvBufferUnits } = rateMode.kind === 'bit-rate' ? rateMode : VARIABLE_RATE_HEADER;
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
