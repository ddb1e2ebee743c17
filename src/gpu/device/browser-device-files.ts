// A page sees no device files. Takes the place of device-files.ts in what browsers load.

/** False: a page cannot know before it asks for an adapter. */
export function surelyHasNoGpu(): boolean {
  return false;
}
