import { markdownParser } from './markdown-parser.ts'

/** Converts the Markdown of a message to HTML. People who write messages mean a line break by one. */
export function markdownToMessageHtml(markdown: string): string {
  const parser = markdownParser()
  return parser.renderer.render(parser.parse(markdown, {}), { ...parser.options, breaks: true }, {})
}
