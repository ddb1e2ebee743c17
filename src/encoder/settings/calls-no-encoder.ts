// Marks the functions of the options that never call the encoder: their calls need not be followed.

const CALLS_NO_ENCODER = Symbol('calls no encoder');

/**
 * Marks a function as one that never calls the encoder, and returns it. It is not bound to the options. Where calls of
 * other functions are followed, every promise of the process takes longer: 3 % of preset fastest on one thread.
 */
export function callsNoEncoder<Called extends object>(called: Called): Called {
  return Object.assign(called, { [CALLS_NO_ENCODER]: true });
}

/** Whether a function that an option gives may call the encoder. */
export function mayCallEncoder(called: object | undefined): boolean {
  return called !== undefined && !(CALLS_NO_ENCODER in called);
}
