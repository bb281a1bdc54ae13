import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** An element: its attributes and children by name, and its text as `_content`. */
interface Element {
  [member: string]: unknown
}

/** Deeper elements make an answer unreadable. */
const MAX_DEPTH = 50

/**
 * Reads an answer in XML as the members of its root element: attributes as texts, children as objects, several of one
 * name as a list, and text as `_content`. Returns undefined for other texts. The parser is loaded at the first use.
 */
export function readXml(text: string): Element | undefined {
  if (!/^\s*</.test(text)) return undefined
  const { Parser }: typeof import('htmlparser2') = require('htmlparser2')
  const root = newElement()
  const open = [root]
  let tooDeep = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = Object.assign(newElement(), attributes)
        const parent = open.at(-1)
        if (parent !== undefined) add(parent, name, element)
        open.push(element)
        tooDeep ||= open.length > MAX_DEPTH
      },
      ontext(part) {
        const element = open.at(-1)
        if (element !== undefined && element !== root) element._content = `${element._content ?? ''}${part}`
      },
      onclosetag() {
        const element = open.pop()
        if (typeof element?._content === 'string' && element._content.trim() === '') delete element._content
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  const [first] = Object.values(root)
  return tooDeep || typeof first !== 'object' || Array.isArray(first) ? undefined : (first as Element)
}

/** Has no prototype: the provider chooses the names. */
function newElement(): Element {
  return Object.create(null)
}

function add(parent: Element, name: string, child: Element): void {
  const there = parent[name]
  if (Array.isArray(there)) there.push(child)
  else parent[name] = there === undefined ? child : [there, child]
}
