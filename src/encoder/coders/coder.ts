// A coder: all that a thread needs to code pictures, from their planes to their bytes.
import { KernelMemory, type MemoryPart } from '../../kernels/kernel-memory.js';
import { PictureCoder } from '../picture/picture-coder.js';
import type { PictureJob } from '../picture/picture-job.js';
import { squaredErrors } from '../picture/reconstruction.js';
import { sliceWriter } from '../picture/slice-writer.js';
import { type StreamSettings, StreamWriter, streamSettings } from '../picture/stream-writer.js';
import { createWorkspace, type Workspace } from '../picture/workspace.js';
import { copyOfReported, pictureFigures } from '../report/picture-report.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { CodedPicture } from './coded-picture.js';

/** What a coder depends on; plain data, which can be sent to a thread. */
export interface CoderSettings extends StreamSettings, Pick<EncoderSettings, 'tools' | 'sliceRows' | 'kernels'> {
  /** Pictures from one I picture to the next. */
  readonly gop: number;
}

/** The settings of the coders of an encode. */
export function coderSettings(settings: EncoderSettings): CoderSettings {
  const { tools, sliceRows, kernels, pattern } = settings;
  return { ...streamSettings(settings), tools, sliceRows, kernels, gop: pattern.gop };
}

/** Codes one picture after the other. */
export class Coder {
  readonly #workspace: Workspace;
  readonly #pictures: PictureCoder;
  readonly #writer: StreamWriter;

  private constructor(settings: CoderSettings, workspace: Workspace) {
    this.#workspace = workspace;
    this.#pictures = new PictureCoder({ workspace, ...settings });
    this.#writer = new StreamWriter(settings, sliceWriter(workspace));
  }

  /**
   * Makes a coder in a part of a kernel memory with room for `workspaceBytes`; `module` is the compiled module of its
   * kernels, if they have one. Rejects with UnsupportedError if the kernels cannot run here.
   */
  static async create(settings: CoderSettings, part: MemoryPart, module?: WebAssembly.Module): Promise<Coder> {
    const memory = new KernelMemory(part);
    return new Coder(settings, await createWorkspace(memory, settings.grid, settings.kernels, module));
  }

  /** Codes and writes a picture. Throws InputError for a motion field of the wrong size. */
  code(job: PictureJob): CodedPicture {
    const start = performance.now();
    const { symbols, rows } = this.#pictures.code(job);
    const writing = performance.now();
    const written = this.#writer.accessUnit(job.plan, symbols);
    const writingMs = performance.now() - writing;
    const figures = pictureFigures(symbols, squaredErrors(this.#workspace, job.references.target));
    const codingMs = performance.now() - start - writingMs;
    return { ...written, figures, symbols: copyOfReported(symbols), rows, codingMs, writingMs };
  }

  /** The bytes of sequence_end_code. */
  sequenceEnd(): Uint8Array {
    return this.#writer.sequenceEnd();
  }
}
