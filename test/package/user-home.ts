// The folder of someone who uses the package, for the tests that share it.
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { installPackage, type PackedPackage } from './installed-package.js';

/** The folder, in which the package is installed when a test asks for it first. */
class UserHome {
  readonly folder = temporaryFolder();
  #packed: Promise<PackedPackage> | undefined;

  /** Installs the package, once. */
  install(): Promise<PackedPackage> {
    this.#packed ??= installPackage(this.folder);
    return this.#packed;
  }
}

export const userHome = new UserHome();
