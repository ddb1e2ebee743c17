// Decodes the images of a list a few ahead, in order.

/** Which images are decoded, how, and how many ahead. */
interface DecodingAhead<Image> {
  readonly paths: readonly string[];
  readonly decode: (path: string, index: number) => Promise<Image>;
  /** How many images are being decoded, or wait for their turn, while the consumer works. */
  readonly ahead: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The images in the order of their paths. The error of one is thrown when its turn comes. An abort ends them with the
 * signal's reason.
 */
export async function* decodedAhead<Image>(decoding: DecodingAhead<Image>): AsyncGenerator<Image> {
  const { paths, decode, ahead, signal } = decoding;
  const pending: Promise<Image>[] = [];
  let next = 0;
  try {
    for (const _ of paths) {
      signal?.throwIfAborted();
      for (; pending.length <= ahead && next < paths.length; next++) {
        const image = decode(paths[next]!, next);
        image.catch(() => {}); // it is awaited later: until then Node must not report it as unhandled
        pending.push(image);
      }
      const image = await pending.shift()!;
      signal?.throwIfAborted();
      yield image;
    }
  } finally {
    await Promise.allSettled(pending);
  }
}
