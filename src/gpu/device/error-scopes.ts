// Catches the errors of commands that are submitted to a device.

/** The kinds of errors that are caught. */
const KINDS = ['validation', 'out-of-memory', 'internal'] as const;

/** From here on the device's errors are caught, until `popErrorScopes`. */
export function pushErrorScopes(device: GPUDevice): void {
  for (const kind of KINDS) device.pushErrorScope(kind);
}

/** A promise for each kind of error; it rejects with the error that was caught. Whoever gets them may ignore them. */
export function popErrorScopes(device: GPUDevice): Promise<void>[] {
  return KINDS.map(() => {
    const scope = device.popErrorScope().then(error => {
      if (error) throw error;
    });
    scope.catch(() => {});
    return scope;
  });
}
