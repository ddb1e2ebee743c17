import { extname } from 'node:path';
import { OptionError } from '../../errors.js';
import { COPY_EXTENSIONS, copySourceExtension } from '../output/stream-copy.js';
import type { ContainerWriter } from './container-writer.js';
import { ElementaryStreamWriter } from './elementary-stream.js';
import { ProgramStreamWriter } from './program-stream.js';
import type { StreamFormat } from './stream-format.js';
import { TransportStreamWriter } from './transport-stream.js';

type MakeWriter = (format: StreamFormat) => ContainerWriter;

/** Our own writers by the ending of the file's name. */
const WRITERS: Readonly<Record<string, MakeWriter>> = {
  '.m1v': () => new ElementaryStreamWriter(),
  '.mpv': () => new ElementaryStreamWriter(),
  '.mpg': format => new ProgramStreamWriter(format),
  '.mpeg': format => new ProgramStreamWriter(format),
  '.ts': format => new TransportStreamWriter(format),
};

/** Endings of every output file there can be. */
export const CONTAINER_EXTENSIONS: readonly string[] = [...Object.keys(WRITERS), ...COPY_EXTENSIONS];

/** How a file of a given name gets its bytes. */
export interface Container {
  readonly writer: ContainerWriter;
  /**
   * Given where our own writers do not make the file itself: the ending of the temporary file that takes the writer's
   * bytes, from which `copyIntoContainer` then makes the output.
   */
  readonly copySource?: '.ts' | '.m1v';
}

/** The container that the ending of `path` names, in any case; an OptionError `output` lists the legal ones for any other. */
export function containerForPath(path: string, format: StreamFormat): Container {
  const extension = extname(path).toLowerCase();
  const makeWriter = WRITERS[extension];
  if (makeWriter) return { writer: makeWriter(format) };
  if (COPY_EXTENSIONS.includes(extension)) {
    const copySource = copySourceExtension(path);
    return { writer: WRITERS[copySource]!(format), copySource };
  }
  const legal = CONTAINER_EXTENSIONS.join(', ');
  const problem = extension === '' ? 'has no ending that names a container' : `ends in ${extension}`;
  throw new OptionError('output', `output ${path} ${problem}: use one of ${legal}`);
}
