// Loads sharp when an image is read or written: it takes a twentieth of a second, which other runs do not wait for.

/** The function of sharp. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  return sharp;
}
