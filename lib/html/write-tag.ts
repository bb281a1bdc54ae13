/** A longer attribute is left out: a data URL or hidden state. */
const MAX_ATTRIBUTE = 2_000
const MAX_ATTRIBUTES = 40
/** Attributes that extraction and Markdown use. */
const KEPT = new Set(
  'alt aria-hidden class colspan content datetime dir href hidden id itemprop itemscope itemtype lang name property rel role rowspan src start style title type value'.split(
    ' ',
  ),
)

/** A start tag with what is kept of its attributes: all of them, or those that extraction and Markdown use. */
export function tag(
  name: string,
  attributes: Record<string, string>,
  { base, allAttributes }: { base: string | undefined; allAttributes: boolean },
): string {
  let text = `<${name}`
  let count = 0
  for (const attribute in attributes) {
    const written = attributes[attribute] ?? ''
    if (!(allAttributes || KEPT.has(attribute)) || written.length > MAX_ATTRIBUTE || ++count > MAX_ATTRIBUTES) continue
    const value = attribute === 'href' || attribute === 'src' ? absolute(written, base) : written
    if (value === undefined) continue
    text += ` ${attribute}="${escaped(value).replaceAll('"', '&quot;')}"`
  }
  return `${text}>`
}

/** The absolute URL; undefined for one that a reader cannot follow. */
function absolute(text: string, base: string | undefined): string | undefined {
  if (text.startsWith('#')) return text
  const url = URL.parse(text, base)
  return url !== null && /^(?:https?|mailto|tel):$/.test(url.protocol) ? url.href : undefined
}

/** Text as HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, character => ENTITIES[character] ?? character)
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
