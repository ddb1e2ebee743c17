// PSNR in the JSON reports of all commands.
import type { PsnrSummary } from '../encoder/report/statistics.js';

/** JSON has no Infinity: the PSNR of equal pictures is reported as this many dB, and no PSNR as more. */
const MAX_PSNR_DB = 100;

/** A PSNR in dB as a finite number. */
export function finitePsnr(psnrDb: number): number {
  return Math.min(MAX_PSNR_DB, psnrDb);
}

/** A summary of PSNRs as finite numbers. */
export function finitePsnrs({ y, u, v, all }: PsnrSummary): PsnrSummary {
  return { y: finitePsnr(y), u: finitePsnr(u), v: finitePsnr(v), all: finitePsnr(all) };
}
