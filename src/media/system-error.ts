// What an error of the operating system says, without the path and the call in which it happened.
import { getSystemErrorMap } from 'node:util';

/** `ENOSPC: no space left on device`. The message of any other error is returned as it is. */
export function systemReason(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  return known ? `${known[0]}: ${known[1]}` : message;
}
