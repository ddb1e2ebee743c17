// The folder of someone who uses the package, for the tests that share it.
import { join } from 'node:path';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { type PackedPackage, packPackage, unpackPackage } from './installed-package.js';

/** The folder, in which the package is installed when a test asks for it first. */
class UserHome {
  readonly folder = temporaryFolder();
  #packed: Promise<PackedPackage> | undefined;

  /** Installs the package, once. */
  install(): Promise<PackedPackage> {
    this.#packed ??= this.#install();
    return this.#packed;
  }

  async #install(): Promise<PackedPackage> {
    const packed = await packPackage(this.folder);
    await unpackPackage(join(this.folder, packed.filename), this.folder);
    return packed;
  }
}

export const userHome = new UserHome();
