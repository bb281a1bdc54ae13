declare module 'html-encoding-sniffer' {
  /** The name of the encoding of an HTML document, by its bytes and the label of its transport. */
  export default function sniff(
    bytes: Uint8Array,
    options: { transportLayerEncodingLabel?: string; defaultEncoding: string },
  ): string
}
