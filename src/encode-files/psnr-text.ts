// PSNR in the reports and texts of all commands.
import type { PsnrSummary } from '../encoder/report/statistics.js';

/** JSON has no Infinity: the PSNR of equal pictures is told as this many dB, and no PSNR as more. */
const MAX_PSNR_DB = 100;

/** A PSNR in dB as a finite number. */
export function finitePsnr(psnrDb: number): number {
  return Math.min(MAX_PSNR_DB, psnrDb);
}

/** A PSNR in dB as texts tell it, which is what the JSON of the same command has: `100.00` for equal pictures. */
export function psnrText(psnrDb: number): string {
  return finitePsnr(psnrDb).toFixed(2);
}

/** A summary of PSNRs as finite numbers. */
export function finitePsnrs({ y, u, v, all }: PsnrSummary): PsnrSummary {
  return { y: finitePsnr(y), u: finitePsnr(u), v: finitePsnr(v), all: finitePsnr(all) };
}
