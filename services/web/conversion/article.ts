import { DefuddleClass } from 'defuddle/node'
import { parseHTML } from 'linkedom'

/** The main content of a page. */
interface Article {
  html: string
  title: string | undefined
  byline: string | undefined
  published: string | undefined
}

/** The DOM's own type is not in the gateway's libraries. */
type DefuddleDocument = ConstructorParameters<typeof DefuddleClass>[0]

/** A larger page would take too long: the time of a DOM grows faster than its size. */
const MAX_ELEMENTS = 8_000
const MAX_LENGTH = 500_000

/** Finds the main content of a pruned page; undefined if the page is too large. */
export function findArticle(page: { html: string; elements: number }, url: string): Article | undefined {
  if (page.elements > MAX_ELEMENTS || page.html.length > MAX_LENGTH) return undefined
  const { document } = parseHTML(page.html)
  const styled = document as unknown as { styleSheets?: unknown[]; defaultView: { getComputedStyle?: unknown } | null }
  // Defuddle reads them, and linkedom does not have them.
  styled.styleSheets ??= []
  if (styled.defaultView !== null) styled.defaultView.getComputedStyle ??= () => ({ display: '' })
  // Otherwise its extractors send requests of their own, which do not go through egress.
  const options = { url, useAsync: false, fetch: () => Promise.reject(new Error('No requests here')) }
  const found = new DefuddleClass(document as unknown as DefuddleDocument, options).parse()
  return {
    html: found.content,
    title: found.title || undefined,
    byline: found.author || undefined,
    published: found.published || undefined,
  }
}
