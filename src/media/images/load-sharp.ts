// Loads the library that reads and writes images when the first image is there: all else starts sooner without it.
import type sharp from 'sharp';
import { messageOf, UnsupportedError } from '../../errors.js';

/** The library. Throws an UnsupportedError where Node may not load it. */
export async function loadSharp(): Promise<typeof sharp> {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    if (!messageOf(error).includes('ERR_DLOPEN_DISABLED')) throw error;
    throw new UnsupportedError('PNG, JPEG, TIFF and WebP need sharp, which Node loads with --allow-addons only');
  }
}
