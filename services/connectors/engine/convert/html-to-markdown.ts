import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Converts HTML to Markdown. The library is loaded at the first use. */
export function htmlToMarkdown(html: string): string {
  const library: typeof import('@mdream/js') = require('@mdream/js')
  return library.htmlToMarkdown(html).trim()
}
