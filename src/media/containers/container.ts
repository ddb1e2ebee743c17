// Chooses the container by the ending of a file's name.
import { extname } from 'node:path';
import { OptionError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import { suggestion } from '../../nearest-name.js';
import type { ContainerWriter, StreamFormat } from './container-writer.js';
import { createContainerWriter, type VideoContainer } from './video-container.js';

/** The ending of a stream that ffmpeg copies into another container. */
type CopySource = '.ts' | '.m1v';

/** The containers that mpegpu writes itself, by the ending of the file's name. */
const OWN_CONTAINERS: Readonly<Record<string, VideoContainer>> = {
  '.m1v': 'm1v',
  '.mpv': 'm1v',
  '.mpg': 'mpg',
  '.mpeg': 'mpg',
  '.ts': 'ts',
};

/**
 * The containers that ffmpeg makes from mpegpu's stream without coding it again, and the ending of the stream from
 * which each gets exact times. From an elementary stream ffmpeg invents time stamps: in .mkv the first picture lasts
 * twice as long, in .mp4 and .mov B pictures get the times of their coded order. AVI stores no time stamps: from a
 * transport stream it gets twice the rate, and every second frame is empty.
 */
const COPY_SOURCES: Readonly<Record<string, CopySource>> = {
  '.mp4': '.ts',
  '.mkv': '.ts',
  '.avi': '.m1v',
  '.mov': '.ts',
};

/** Endings of the files that mpegpu writes itself, to devices and pipes too. */
export const WRITER_EXTENSIONS: readonly string[] = Object.keys(OWN_CONTAINERS);

/** Endings of the files that ffmpeg makes from mpegpu's stream without coding it again. */
export const COPY_EXTENSIONS: readonly string[] = Object.keys(COPY_SOURCES);

/** Endings of all video files that can be written. */
export const CONTAINER_EXTENSIONS: readonly string[] = [...WRITER_EXTENSIONS, ...COPY_EXTENSIONS];

/** Endings of the files that hold a bare video stream. */
const BARE_EXTENSIONS = ['.m1v', '.mpv'];
/** Endings of the files that can have sound. */
const SOUND_EXTENSIONS = CONTAINER_EXTENSIONS.filter(extension => !BARE_EXTENSIONS.includes(extension));

/** Whether the file of this name holds a bare video stream, which has no place for sound. */
export function isBareStream(path: string): boolean {
  return BARE_EXTENSIONS.includes(extensionOf(path));
}

/** How the bytes of a file are made. */
export interface Container {
  readonly writer: ContainerWriter;
  /** The ending of a temporary file for the writer's bytes, from which `copyIntoContainer` makes the file itself. */
  readonly copySource?: CopySource;
  /** True: the writer takes no sound, which ffmpeg copies from a file of its own. */
  readonly hasOwnSound?: boolean;
}

/** Throws an OptionError unless the name of an output is a text. */
export function requireFileName(path: string): void {
  if (typeof path === 'string') return;
  throw new OptionError('output', `output ${inWords(path)} is not the name of a file`);
}

/** Throws an OptionError that lists the legal endings if that of `path` names no container. */
export function requireContainer(path: string): void {
  requireFileName(path);
  const extension = extensionOf(path);
  if (CONTAINER_EXTENSIONS.includes(extension)) return;
  const nearest = suggestion(extension, CONTAINER_EXTENSIONS);
  const problem = extension === '' ? 'has no ending that names a container' : `ends in ${extension}${nearest}`;
  throw new OptionError('output', `output ${path} ${problem}: use one of ${CONTAINER_EXTENSIONS.join(', ')}`);
}

/**
 * The container that the ending of `path` names, in upper or lower case. Throws an OptionError that lists the legal
 * ones, and for sound in a file that has no place for it.
 */
export function containerForPath(path: string, given: StreamFormat): Container {
  requireContainer(path);
  const format: StreamFormat = Object(given);
  const extension = extensionOf(path);
  const copySource = COPY_SOURCES[extension];
  const container = OWN_CONTAINERS[copySource ?? extension]!;
  if (format.sound && isBareStream(path)) {
    throw new OptionError('sound', `output ${path} has no place for sound: use one of ${SOUND_EXTENSIONS.join(', ')}`);
  }
  const hasOwnSound = format.sound !== undefined && copySource === '.m1v';
  const { sound: _, ...silent } = format;
  const writer = createContainerWriter(container, container === 'm1v' ? silent : format);
  return { writer, ...(copySource && { copySource }), ...(hasOwnSound && { hasOwnSound }) };
}

/** The ending of the stream, `.ts` or `.m1v`, from which the file `output` gets exact times; throws an OptionError. */
export function copySourceExtension(output: string): CopySource {
  requireFileName(output);
  const source = COPY_SOURCES[extensionOf(output)];
  if (source) return source;
  throw new OptionError('output', `output ${output}: a stream is copied into ${COPY_EXTENSIONS.join(', ')} only`);
}

/** The ending of a file's name in lower case, with its dot; '' if it has none. */
export function extensionOf(path: string): string {
  return extname(path).toLowerCase();
}
