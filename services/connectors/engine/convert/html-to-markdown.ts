import { createRequire } from 'node:module'
import { prune } from '../../../../lib/html/prune.ts'

const require = createRequire(import.meta.url)

/** How much HTML may still be converted for one result, in characters. */
export interface HtmlAllowance {
  left: number
}

/** The HTML of one result that is converted, in characters. More would hold up other work, and results keep less. */
const MAX_HTML = 300_000

/** The allowance of one result. */
export function htmlAllowance(): HtmlAllowance {
  return { left: MAX_HTML }
}

/**
 * Converts HTML to Markdown, as much as is allowed. Anybody can write it, such as an email: without the limits of `prune`, the
 * library's time grows with the depth of quotes times their lines. Libraries are loaded at the first use.
 */
export function htmlToMarkdown(html: string, allowance: HtmlAllowance): string {
  const part = html.slice(0, allowance.left)
  allowance.left -= part.length
  const library: typeof import('@mdream/js') = require('@mdream/js')
  return library.htmlToMarkdown(prune(part, {}).html).trim()
}
