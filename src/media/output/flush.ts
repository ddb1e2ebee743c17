// Makes files and their names last through a power failure.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/**
 * What a system answers that opens no folders, and a file system that flushes nothing; and Node, whose permission model
 * has no `fsyncSync`.
 */
const NO_FLUSH = ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EACCES', 'EPERM', 'ERR_ACCESS_DENIED'];

/** Whether an error says that there is no way to flush, not that flushing failed. */
function isImpossible(error: unknown): boolean {
  return NO_FLUSH.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Resolves when a file's bytes are on the disk, where the file system can say so. Throws the system's error. */
export async function flushFile(file: FileHandle): Promise<void> {
  await file.sync().catch(error => {
    if (!isImpossible(error)) throw error;
  });
}

/** Returns when the names in a folder are on the disk, where the file system can say so. Throws the system's error. */
export function flushFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!isImpossible(error)) throw error;
  }
}
