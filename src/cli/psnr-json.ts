// PSNR in the JSON reports of all commands.

/** JSON has no Infinity: the PSNR of equal pictures is reported as this many dB, and no PSNR as more. */
const MAX_PSNR_DB = 100;

/** A PSNR in dB as a finite number. */
export function finitePsnr(psnrDb: number): number {
  return Math.min(MAX_PSNR_DB, psnrDb);
}
