import { createRequire } from 'node:module'
import type { default as Load, MarkdownIt } from 'markdown-it'

const require = createRequire(import.meta.url)
let parser: MarkdownIt | undefined

/** Returns the parser of Markdown: CommonMark with tables and strikethrough, no HTML. It is loaded at the first use. */
export function markdownParser(): MarkdownIt {
  if (parser === undefined) {
    const load: typeof Load = require('markdown-it')
    // XHTML is HTML too, and some providers parse it as XML.
    parser = new load({ html: false, linkify: false, xhtmlOut: true })
  }
  return parser
}
