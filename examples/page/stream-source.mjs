// A source of JSMpeg that reads a stream of this page.

/** The class of a source for `JSMpeg.Player`, which reads `stream`. */
export function sourceOf(stream) {
  return class StreamSource {
    streaming = true;
    established = false;
    completed = false;
    progress = 0;
    #reader = stream.getReader();

    connect(destination) {
      this.destination = destination;
    }

    async start() {
      // A failure ends it, too: `finished` of the video tells of that.
      const next = () => this.#reader.read().catch(() => ({ done: true }));
      for (let read = await next(); !read.done; read = await next()) {
        this.established = true;
        // JSMpeg keeps what it is given: a part may be a view of something larger.
        this.destination.write(read.value.slice().buffer);
      }
      this.completed = true;
      this.progress = 1;
    }

    resume() {}

    destroy() {
      this.#reader.cancel().catch(() => {}); // it has failed
    }
  };
}
