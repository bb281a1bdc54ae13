import { htmlToMarkdown } from '@mdream/js'

/** What surrounds the content of a page. */
const SURROUNDINGS = ['nav', 'header', 'footer', 'aside', 'form', 'iframe', 'button', 'select', 'textarea', 'input']

/** Converts HTML to Markdown in linear time and without a DOM. */
export function toMarkdown(html: string, { surroundings }: { surroundings: boolean }): string {
  const exclude = surroundings ? ['iframe', 'button', 'select', 'textarea', 'input'] : SURROUNDINGS
  return htmlToMarkdown(html, { plugins: { filter: { exclude } } }).trim()
}
