import { createRequire } from 'node:module'
import { prune } from '../../../../lib/html/prune-page.ts'

const require = createRequire(import.meta.url)

/** What the conversions of the fields of one result share. */
export interface ConversionState {
  /** How many characters of HTML may still be converted. */
  htmlLeft: number
  /** What the Markdown of the result does not show, as plural nouns. */
  readonly lost: Set<string>
  /** The texts of the PDFs that it has in base64. */
  readonly pdfs: ReadonlyMap<string, string>
}

/** The HTML of one result that is converted, in characters. More would hold up other work, and results keep less. */
const MAX_HTML = 300_000

/** The state before the first conversion of a result. */
export function conversionState(pdfs: ConversionState['pdfs'] = new Map()): ConversionState {
  return { htmlLeft: MAX_HTML, lost: new Set(), pdfs }
}

/**
 * Converts HTML to Markdown, as much as is allowed. Anybody can write it, such as an email: without the limits of `prune`, the
 * library's time grows with the depth of quotes times their lines. Libraries are loaded at the first use.
 */
export function htmlToMarkdown(html: string, state: ConversionState): string {
  const part = html.slice(0, state.htmlLeft)
  state.htmlLeft -= part.length
  const library: typeof import('@mdream/js') = require('@mdream/js')
  return library.htmlToMarkdown(prune(part, {}).html).trim()
}
