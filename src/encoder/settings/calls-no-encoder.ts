// Marks the functions of the options that never call the encoder: their calls need not be followed.

const CALLS_NO_ENCODER = Symbol('calls no encoder');

/**
 * Says of a function, which is not bound to its options, that it never calls the encoder. Calls that are followed make
 * every promise of the process dearer: 3 % of the time of preset fastest on one thread.
 */
export function callsNoEncoder<Called extends object>(called: Called): Called {
  return Object.assign(called, { [CALLS_NO_ENCODER]: true });
}

/** Whether a function that an option gives may call the encoder. */
export function mayCallEncoder(called: object | undefined): boolean {
  return called !== undefined && !(CALLS_NO_ENCODER in called);
}
