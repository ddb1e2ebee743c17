// Calls something when the event loop has turned.

/**
 * Calls `callback` in a later turn of the event loop: timers, input and messages may come before. Browsers make a timer
 * that is set by another one wait for 4 ms, and in hidden pages for a second; a message is not held up.
 */
export function nextTurn(callback: () => void): void {
  if (typeof setImmediate === 'function') {
    setImmediate(callback);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
}
