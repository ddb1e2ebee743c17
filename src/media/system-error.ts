// What an error of the operating system says, without the path and the call in which it happened.
import { getSystemErrorMap } from 'node:util';

/** `ENOSPC: no space left on device`. The message of any other error is returned as it is. */
export function systemReason(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  return known ? `${known[0]}: ${known[1]}` : message;
}

/** What a process or its machine may run out of, by the codes of system errors. */
const SHORTAGES: Readonly<Record<string, string>> = {
  EAGAIN: 'too many processes and threads run',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
  ENOMEM: 'there is not enough memory',
};

/** What there is too little of just now, where that has caused an error; undefined for other errors. */
export function shortage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', cause } = error as NodeJS.ErrnoException;
  return Object.hasOwn(SHORTAGES, code) ? `${SHORTAGES[code]} (${code})` : shortage(cause);
}
