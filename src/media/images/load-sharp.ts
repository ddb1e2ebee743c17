// Loads the library that reads and writes images when the first image is there: all else starts sooner without it.
import type sharp from 'sharp';

/** The library. */
export async function loadSharp(): Promise<typeof sharp> {
  return (await import('sharp')).default;
}
