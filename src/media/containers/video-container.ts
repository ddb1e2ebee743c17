// Makes the writer of a container that mpegpu writes itself.
import { type FrameRate, requireFrameRate } from '../../bitstream/tables/frame-rate.js';
import { OptionError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import { suggestion } from '../../nearest-name.js';
import { bitRatesOf, LEGAL_SAMPLE_RATES, type SoundFormat } from '../sound/layer-two.js';
import type { ContainerWriter, StreamFormat } from './container-writer.js';
import { ElementaryStreamWriter } from './elementary-stream.js';
import { ProgramStreamWriter } from './program-stream.js';
import { TransportStreamWriter } from './transport-stream.js';
import { VideoCdStreamWriter } from './video-cd-stream.js';

/** The names of {@link VideoContainer}. */
export const VIDEO_CONTAINERS = ['mpg', 'ts', 'm1v'] as const;

/** A system stream (`mpg`), a transport stream (`ts`), or the video stream without a container (`m1v`). */
export type VideoContainer = (typeof VIDEO_CONTAINERS)[number];

/** What a container must know of the video stream: as {@link StreamFormat}; the rate may also be a number (29.97). */
export interface VideoFormat extends Omit<StreamFormat, 'frameRate'> {
  readonly frameRate: number | FrameRate;
}

/** The writers. The format is checked. */
const WRITERS: Readonly<Record<VideoContainer, (format: StreamFormat) => ContainerWriter>> = {
  mpg: format => (format.layout === 'video-cd' ? new VideoCdStreamWriter(format) : new ProgramStreamWriter(format)),
  ts: format => new TransportStreamWriter(format),
  m1v: () => new ElementaryStreamWriter(),
};

/**
 * The writer of a container: access units in, bytes of a file out. Give it the access units of one encode in coded
 * order, write what each call returns, and at the end what `end` returns:
 *
 *     const writer = createContainerWriter('ts', { width: 352, height: 288, frameRate: 25 });
 *     for await (const unit of encoder) for (const bytes of writer.write(unit)) send(bytes);
 *     for (const bytes of writer.end()) send(bytes);
 *
 * Throws an OptionError for an unknown container or layout, a rate that MPEG-1 does not have, a size of less than one
 * pel, and for sound in a bare stream or of a format that MPEG-1 Layer II does not have.
 */
export function createContainerWriter(container: VideoContainer, given: VideoFormat): ContainerWriter {
  if (!Object.hasOwn(WRITERS, container)) {
    const legal = VIDEO_CONTAINERS.join(', ');
    throw new OptionError(
      'container',
      `container '${String(container)}' does not exist${suggestion(container, VIDEO_CONTAINERS)}; legal: ${legal}`,
    );
  }
  const format: VideoFormat = Object(given);
  const { sound, layout } = format;
  if (layout !== undefined && layout !== 'video-cd') {
    throw new OptionError('layout', `layout ${inWords(layout)} does not exist; legal: video-cd`);
  }
  if (sound && container === 'm1v') throw new OptionError('sound', 'container m1v has no place for sound');
  if (sound !== undefined) checkSound(Object(sound));
  for (const name of ['width', 'height'] as const) {
    if (Number.isInteger(format[name]) && format[name] > 0) continue;
    throw new OptionError(name, `${name} ${String(format[name])} is not a whole number of 1 or more pels`);
  }
  return WRITERS[container]({ ...format, frameRate: requireFrameRate(format.frameRate) });
}

function checkSound(sound: SoundFormat): void {
  const { sampleRate, channels, bitRate } = sound;
  const isKnown = LEGAL_SAMPLE_RATES.includes(sampleRate) && (channels === 1 || channels === 2);
  if (isKnown && bitRatesOf(channels).includes(bitRate)) return;
  throw new OptionError('sound', `sound ${inWords(sound)} is no format of MPEG-1 Layer II`);
}
