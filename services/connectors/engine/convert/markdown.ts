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

/**
 * Converts Markdown to HTML that is well-formed XML too. A line break stays one: Markdown would make it a space, but
 * people who write a text mean it.
 */
export function markdownToHtml(markdown: string): string {
  const parser = markdownParser()
  return parser.renderer.render(parser.parse(markdown, {}), { ...parser.options, breaks: true }, {})
}

/** Converts `{ text, quoted }` as JSON: puts a text in Markdown at the beginning of the body of an HTML document. */
export function answerHtml(json: string): string {
  const { text, quoted }: { text: string; quoted: string } = JSON.parse(json)
  const above = markdownToHtml(text)
  // A tag ends before the next one, or the sender of the quoted message could make the search quadratic.
  const body = /<body\b[^<>]*>/i.exec(quoted)
  if (body === null) return above + quoted
  const start = body.index + body[0].length
  return quoted.slice(0, start) + above + quoted.slice(start)
}
