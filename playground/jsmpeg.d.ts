// JSMpeg comes without types: the parts of it that are used here.
declare module '@seydx/jsmpeg' {
  interface Renderer {
    resize(width: number, height: number): void;
    render(y: Uint8ClampedArray, cr: Uint8ClampedArray, cb: Uint8ClampedArray): void;
  }
  interface VideoDecoder {
    readonly codedWidth: number;
    connect(renderer: Renderer): void;
    /** Decodes the next picture; false where there is none. */
    decode(): boolean;
  }
  interface Demuxer {
    connect(streamId: number, destination: VideoDecoder): void;
    write(buffer: ArrayBuffer): void;
  }
  const JSMpeg: {
    readonly Demuxer: { readonly TS: new (options: object) => Demuxer };
    readonly Decoder: { readonly MPEG1Video: new (options: object) => VideoDecoder };
  };
  export default JSMpeg;
}
