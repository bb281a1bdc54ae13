import { createRequire } from 'node:module'
import { escaped, tag } from './write-tag.ts'

const require = createRequire(import.meta.url)

/** A link of a page, with an absolute URL. */
export interface PageLink {
  url: string
  text: string
}

/** A page without what no reader sees and what could harm a DOM, and what was found on the way. */
export interface PrunedPage {
  html: string
  /** The number of elements in `html`. */
  elements: number
  /** The length of the visible text, in characters. */
  textLength: number
  /** Whether the page loads scripts. */
  hasScripts: boolean
  title: string | undefined
  language: string | undefined
  /** By lower-case name or property; the first of equal ones. */
  meta: ReadonlyMap<string, string>
  /** The texts of the JSON-LD blocks. */
  jsonLd: readonly string[]
  links: readonly PageLink[]
}

/** The page ends where more elements are open: the parser's time grows with their square. */
const MAX_OPEN = 10_000
/** The page ends where `html` is longer, in characters: more than this becomes no text of an answer. */
const MAX_LENGTH = 3_000_000
/** How much of the page is parsed at a time, in characters. */
const CHUNK = 32 * 1024
/** Deeper elements lose their tags, but not their text: DOM libraries recurse. */
const MAX_DEPTH = 200
/** Each of these adds a prefix to all lines of its content, so few are kept within one another. */
const NESTED = new Set(['blockquote', 'ol', 'ul'])
const MAX_NESTED = 16
/** Further elements are left out. */
const MAX_ELEMENTS = 20_000
const MAX_LINKS = 5_000
/** The maximum length of the title, of a value of a meta element, and of the text of a link. */
const MAX_VALUE = 1_000
const MAX_META = 200
/** The maximum length of all JSON-LD, and its maximum depth. */
const MAX_JSON_LD = 64 * 1024
const MAX_JSON_DEPTH = 32

/** Elements without readable content. Without scripts, the content of `noscript` is part of the page. */
const DROPPED = new Set(['script', 'style', 'svg', 'template', 'canvas', 'object', 'embed', 'math'])
/** Elements whose content is a part of what surrounds them. */
const TRANSPARENT = new Set(['noscript', 'frameset', 'frame'])
const VOID = new Set('area base br col embed frame hr img input link meta param source track wbr'.split(' '))

/** The parser reads the content of this element as text, but it is what a reader without frames sees. Bounded, to stay linear. */
const NOFRAMES = /<\/?noframes\b[^>]{0,100}>/gi
/** HTML has no such sections: they are comments up to the next `>`, but the parser looks for their end. */
const CDATA = '<![CDATA['

/** A form: the places of its tags in the output, and the length of its text; while it is open, of the text before it. */
interface Form {
  start: number
  end: number
  textLength: number
}

interface PruneOptions {
  /** The base of the links, unless the page has a `base` element. Without one, only absolute links are kept. */
  url?: string
  /** Whether all attributes are kept, not only those that extraction and Markdown use. */
  allAttributes?: boolean
}

/** Reads a page in one linear pass, and makes its links absolute. The parser is loaded at the first use. */
export function prune(source: string, { url, allAttributes = false }: PruneOptions): PrunedPage {
  const { Parser }: typeof import('htmlparser2') = require('htmlparser2')
  const out: string[] = []
  /** The open elements; an empty name for those whose tags are left out. */
  const open: string[] = []
  let depth = 0
  let nested = 0
  let length = 0
  const meta = new Map<string, string>()
  const jsonLd: string[] = []
  const links: PageLink[] = []
  let base = url
  let elements = 0
  let textLength = 0
  let jsonLdLength = 0
  let hasScripts = false
  let title: string | undefined
  let language: string | undefined
  /** The dropped element that the parser is in, and how many of the same name are open in it. */
  let dropped: { name: string; depth: number } | undefined
  let script: string[] | undefined
  let link: { href: string; text: string } | undefined
  let inTitle = false
  const openForms: Form[] = []
  const forms: Form[] = []

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (dropped !== undefined) {
          if (dropped.name === name) dropped.depth++
          return
        }
        if (name === 'script') {
          if (attributes.type?.toLowerCase() === 'application/ld+json') script = []
          else hasScripts = true
        }
        const isEmptyImage = name === 'img' && !allAttributes && (attributes.alt ?? '').trim() === ''
        if (DROPPED.has(name) || isEmptyImage) {
          dropped = { name, depth: 1 }
          return
        }
        if (name === 'html') language = attributes.lang?.slice(0, 35)
        else if (name === 'title' && title === undefined) {
          inTitle = true
          title = ''
        } else if (name === 'meta') readMeta(attributes)
        else if (name === 'base' && attributes.href !== undefined) base = URL.parse(attributes.href, url)?.href ?? base
        else if (name === 'a' && attributes.href !== undefined) link = { href: attributes.href, text: '' }
        else if (name === 'frame' && attributes.src !== undefined) {
          link = { href: attributes.src, text: attributes.name ?? '' }
          endLink()
        }
        const isVoid = VOID.has(name)
        const isNested = NESTED.has(name)
        const isShallow = isVoid || (depth < MAX_DEPTH && !(isNested && nested >= MAX_NESTED))
        const isKept = !TRANSPARENT.has(name) && elements < MAX_ELEMENTS && isShallow
        if (!isVoid) open.push(isKept ? name : '')
        if (!isKept) return
        if (!isVoid) depth++
        if (isNested) nested++
        elements++
        if (name === 'form') openForms.push({ start: out.length, end: out.length, textLength })
        add(tag(name, attributes, { base, allAttributes }))
      },
      ontext(text) {
        if (script !== undefined) {
          jsonLdLength += text.length
          if (jsonLdLength <= MAX_JSON_LD) script.push(text)
          return
        }
        if (dropped !== undefined) return
        if (inTitle) title = `${title ?? ''}${text}`.slice(0, MAX_VALUE)
        else textLength += text.trim().length
        if (link !== undefined && link.text.length < MAX_VALUE) link.text += text
        add(escaped(text))
      },
      onclosetag(name) {
        if (dropped !== undefined) {
          if (dropped.name === name && --dropped.depth === 0) {
            dropped = undefined
            if (script !== undefined) endScript(script.join(''))
            script = undefined
          }
          return
        }
        if (name === 'title') inTitle = false
        if (name === 'a') endLink()
        if (VOID.has(name)) return
        // The parser closes every element that it opens.
        if (open.pop() === '') return
        depth--
        if (NESTED.has(name)) nested--
        const form = name === 'form' ? openForms.pop() : undefined
        if (form !== undefined)
          forms.push({ start: form.start, end: out.length, textLength: textLength - form.textLength })
        add(`</${name}>`)
      },
    },
    { decodeEntities: true },
  )

  function add(text: string): void {
    length += text.length
    out.push(text)
  }

  function readMeta(attributes: Record<string, string>): void {
    const name = (attributes.property ?? attributes.name)?.toLowerCase().slice(0, 80)
    if (name === undefined || attributes.content === undefined || meta.size >= MAX_META || meta.has(name)) return
    meta.set(name, attributes.content.slice(0, MAX_VALUE))
  }

  function endScript(text: string): void {
    if (jsonLdLength > MAX_JSON_LD || isDeep(text)) return
    jsonLd.push(text)
    elements++
    // JSON does not need it, and it would end the element early.
    add(`<script type="application/ld+json">${text.replaceAll('<', '\\u003c')}</script>`)
  }

  function endLink(): void {
    if (link !== undefined && links.length < MAX_LINKS) {
      const target = URL.parse(link.href, base)
      if (target !== null && /^https?:$/.test(target.protocol))
        links.push({ url: target.href, text: link.text.replace(/\s+/g, ' ').trim().slice(0, 200) })
    }
    link = undefined
  }

  const html = source.replaceAll(CDATA, '<!CDATA[').replace(NOFRAMES, '')
  for (let at = 0; at < html.length && open.length < MAX_OPEN && length < MAX_LENGTH; at += CHUNK)
    parser.write(html.slice(at, at + CHUNK))
  parser.end()
  if (!allAttributes)
    for (const { start, end, textLength: within } of forms) if (within > textLength / 2) unwrapForm(out, start, end)
  return { html: out.join(''), elements, textLength, hasScripts, title: title?.trim(), language, meta, jsonLd, links }
}

/** Makes a form a part of the content, where it surrounds the page itself. */
function unwrapForm(out: string[], start: number, end: number): void {
  out[start] = `<div${out[start]?.slice('<form'.length)}`
  out[end] = '</div>'
}

/** Counts brackets in strings too, which is safe: such a text only counts as deeper than it is. */
function isDeep(json: string): boolean {
  let depth = 0
  for (const character of json) {
    if (character === '{' || character === '[') {
      if (++depth > MAX_JSON_DEPTH) return true
    } else if (character === '}' || character === ']') depth--
  }
  return false
}
