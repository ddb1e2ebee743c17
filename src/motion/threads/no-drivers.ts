// In a browser nobody asks graphics drivers; on Node, early-drivers.ts does.

/** See early-drivers.ts. */
export async function askDriversEarly(_estimator: string): Promise<undefined> {}

/** See early-drivers.ts. */
export function askDriversBefore(_estimator: string, _kept?: object): () => void {
  return () => {};
}
