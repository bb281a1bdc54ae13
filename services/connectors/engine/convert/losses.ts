import type { LossyForm } from '../../../definitions/http-tool-types.ts'
import { isAutolink } from './adf-to-markdown.ts'

/** What Markdown cannot hold of an ADF document, by the types of nodes and marks. */
const ADF: Readonly<Record<string, string>> = {
  panel: 'panels',
  mention: 'mentions',
  media: 'images and files',
  mediaSingle: 'images and files',
  mediaGroup: 'images and files',
  mediaInline: 'images and files',
  taskList: 'task lists',
  taskItem: 'task lists',
  blockTaskItem: 'task lists',
  decisionList: 'decisions',
  decisionItem: 'decisions',
  expand: 'expandable sections',
  nestedExpand: 'expandable sections',
  status: 'status labels',
  date: 'dates',
  emoji: 'emoji',
  inlineCard: 'smart links',
  blockCard: 'smart links',
  embedCard: 'smart links',
  extension: 'macros',
  bodiedExtension: 'macros',
  inlineExtension: 'macros',
  multiBodiedExtension: 'macros',
  syncBlock: 'synced blocks',
  bodiedSyncBlock: 'synced blocks',
  layoutSection: 'layouts',
  layoutColumn: 'layouts',
  annotation: 'comments on parts of the text',
  underline: 'underlines and other styles',
  subsup: 'underlines and other styles',
  textColor: 'colors',
  backgroundColor: 'colors',
  alignment: 'alignment',
  indentation: 'alignment',
  breakout: 'layouts',
  border: 'images and files',
  caption: 'images and files',
}
/** The types of nodes and marks that come back from Markdown as they were. */
const KEPT = new Set(
  (
    'doc paragraph text hardBreak heading bulletList orderedList listItem blockquote codeBlock rule table tableRow ' +
    'tableHeader tableCell strong em strike code link'
  ).split(' '),
)
/** The elements of HTML that Markdown cannot hold. */
const HTML = [
  [/<(?:img|picture|video|audio|object|embed|iframe|svg)\b/i, 'images and embedded media'],
  [/<(?:input|form|button|select)\b/i, 'forms and checkboxes'],
  [/<at\b|\bdata-(?:mention|asana-gid)\b/i, 'mentions'],
  [/<attachment\b/i, 'attachments'],
  [/teams\.microsoft\.com\/(?:l\/meetup-join|meet)\b/i, 'the link of an online meeting'],
] as const
/** What Notion's Markdown only refers to. The addresses of files that it signs end soon. */
const NOTION = [
  [/<unknown\b/, 'blocks that Notion does not show'],
  [/[?&]X-Amz-Signature=/, 'images and files'],
  [/<synced_block\b/, 'synced blocks'],
  [/<meeting-notes\b/, 'meeting notes'],
] as const

/** Returns what a text at a provider has that Markdown cannot hold, as plural nouns. */
export function lossesOf(form: LossyForm, value: unknown): string[] {
  const lost = new Set<string>()
  if (form === 'adf') collectAdf(value, lost)
  else for (const [pattern, what] of form === 'html' ? HTML : NOTION) if (pattern.test(textIn(value))) lost.add(what)
  return [...lost].sort()
}

/**
 * Collects from documents, and from the JSON of documents that a provider sends as text. A stack instead of recursion,
 * because a document may be too deep for it.
 */
function collectAdf(value: unknown, lost: Set<string>): void {
  const open: unknown[] = [value]
  for (let node = open.pop(); node !== undefined || open.length > 0; node = open.pop()) {
    if (typeof node === 'string' && node.startsWith('{')) open.push(parsed(node))
    if (typeof node !== 'object' || node === null) continue
    const { type, attrs, content, marks } = node as { [name: string]: unknown }
    const isNode = typeof type === 'string'
    if (isNode && !KEPT.has(type) && !isInMarkdown(type, attrs)) lost.add(ADF[type] ?? 'elements of other kinds')
    // What surrounds a document has other members.
    for (const part of isNode ? [content, marks] : Object.values(node)) open.push(part)
  }
}

/** An emoji that is a character, and a card of an address (`<https://…>`), come back from Markdown too. */
function isInMarkdown(type: string, attrs: unknown): boolean {
  const { text, url } = Object(attrs)
  return (type === 'emoji' && /^[^:]/.test(text ?? '')) || (type === 'inlineCard' && isAutolink(url))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
