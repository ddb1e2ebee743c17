// How two threads share the coder threads: the calling thread has them code, the lookahead's has them analyse pictures.
import { ThreadClaims } from '../../threads/thread-claims.js';

/** The coder threads as the lookahead's thread sees them, in a form that can be sent there. */
export interface LentCoders {
  /** See `ThreadClaims.memory`. */
  readonly claims: SharedArrayBuffer;
  /** The port by which it is told of claims. */
  readonly claimsPort: MessagePort;
  /** For each of the threads, the port by which it asks that one. */
  readonly ports: readonly MessagePort[];
}

/** Coder threads that two threads ask. */
export interface SharedCoders {
  readonly claims: SharedArrayBuffer;
  readonly claimsPort: MessagePort;
  /** For each thread, the port by which it gets the questions of the lookahead's thread. */
  readonly ports: readonly MessagePort[];
  readonly lent: LentCoders;
  /** Aborted when the lookahead's thread has ended before its time. */
  readonly lookaheadEnded: AbortController;
  /** Aborted when that thread begins to end: it asks no more, and its ends of the ports may be gone. */
  readonly lastAsked: AbortController;
}

/** What two threads need to share `count` coder threads. */
export function shareCoders(count: number): SharedCoders {
  const channels = Array.from({ length: count }, () => new MessageChannel());
  const ofClaims = new MessageChannel();
  const claims = ThreadClaims.memory(count);
  return {
    claims,
    claimsPort: ofClaims.port1,
    ports: channels.map(({ port2 }) => port2),
    lent: { claims, claimsPort: ofClaims.port2, ports: channels.map(({ port1 }) => port1) },
    lookaheadEnded: new AbortController(),
    lastAsked: new AbortController(),
  };
}

/** Closes the ports that were sent to no thread: Node would keep them. */
export function closePorts({ claimsPort, ports, lent }: SharedCoders): void {
  for (const port of [claimsPort, ...ports, lent.claimsPort, ...lent.ports]) port.close();
}
