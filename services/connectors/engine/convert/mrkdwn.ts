import type { Token } from 'markdown-it'
import { markdownParser } from './markdown.ts'

/** Mentions of people, channels, groups and everyone, as Slack writes them in messages. They are the same in Markdown. */
const MENTION = /<(?:@[UW]\w+|#C\w+|!subteam\^S\w+|!(?:here|channel|everyone))(?:\|[^<>|\n]*)?>/
const MENTIONS = new RegExp(`(${MENTION.source})`)
const MARKS: Readonly<Record<string, string>> = { strong: '*', em: '_', s: '~' }

/**
 * Converts Markdown to Slack's mrkdwn (https://docs.slack.dev/messaging/formatting-message-text). Headings become bold
 * lines, rows of tables lines with bars. Mentions such as `<@U0123456789>` stay.
 */
export function markdownToMrkdwn(markdown: string): string {
  const lists: { next: number | undefined }[] = []
  const last = { quoted: false, listed: false, row: false }
  let [output, marker, quotes, heading] = ['', '', 0, false]
  let cells: string[] | undefined

  function emit(text: string, row = false): void {
    const here = { quoted: quotes > 0, listed: lists.length > 0, row }
    const close = (here.listed && last.listed) || (row && last.row)
    const indent = '    '.repeat(Math.max(0, lists.length - 1))
    const lines = text.split('\n').map((line, index) => `${indent}${index === 0 ? marker : ''}${line}`)
    const block = here.quoted ? lines.map(line => `> ${line}`).join('\n') : lines.join('\n')
    const gap = close ? '\n' : here.quoted && last.quoted ? '\n> \n' : '\n\n'
    output += output === '' ? block : gap + block
    marker = ''
    Object.assign(last, here)
  }

  for (const token of markdownParser().parse(markdown, {})) {
    const name = token.type.replace(/_(open|close)$/, '')
    if (name === 'blockquote') quotes += token.nesting
    else if (name === 'heading') heading = token.nesting === 1
    else if (name === 'bullet_list' || name === 'ordered_list') {
      if (token.nesting === -1) lists.pop()
      else lists.push({ next: name === 'ordered_list' ? Number(token.attrGet('start') ?? 1) : undefined })
    } else if (token.type === 'list_item_open') marker = markerOf(lists.at(-1))
    else if (token.type === 'tr_open') cells = []
    else if (token.type === 'tr_close') {
      emit((cells ?? []).join(' | '), true)
      cells = undefined
    } else if (token.type === 'inline') {
      const text = inlines(token.children ?? [], heading)
      if (cells !== undefined) cells.push(text)
      else emit(heading && text !== '' ? `*${text}*` : text)
    } else if (token.type === 'hr') emit('———')
    else if (token.type === 'fence' || token.type === 'code_block') emit(`\`\`\`\n${escaped(token.content)}\`\`\``)
  }
  return output
}

function markerOf(list: { next: number | undefined } | undefined): string {
  return list?.next === undefined ? '• ' : `${list.next++}. `
}

function inlines(tokens: readonly Token[], bold: boolean): string {
  let output = ''
  for (const token of tokens) {
    const name = token.type.replace(/_(open|close)$/, '')
    if (token.type === 'softbreak' || token.type === 'hardbreak') output += '\n'
    else if (token.type === 'code_inline') output += `\`${escaped(token.content)}\``
    else if (token.type === 'image') output += `<${target(token.attrGet('src'))}|${label(token.content || 'image')}>`
    else if (token.type === 'link_open') output += `<${target(token.attrGet('href'))}|`
    else if (token.type === 'link_close') output += '>'
    // A heading is bold as a whole.
    else if (MARKS[name] !== undefined) output += bold && name === 'strong' ? '' : MARKS[name]
    else
      output += token.content
        .split(MENTIONS)
        .map((text, index) => (index % 2 === 0 ? escaped(text) : text))
        .join('')
  }
  return output
}

function target(url: string | number | null): string {
  return String(url ?? '').replace(/[|<>\s]/g, character => encodeURIComponent(character))
}

function label(text: string): string {
  return escaped(text).replaceAll('|', '¦')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Code, and what Slack writes between angle brackets: links and mentions. */
const CODE_OR_LINK = /(```[\s\S]*?```|`[^`\n]+`|<[^<>\n]+>)/

/** Converts Slack's mrkdwn to Markdown; undefined for a value that is no text. Mentions stay as they are. */
export function mrkdwnToMarkdown(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // The separators are at the odd indexes. Marks around links are found because the links have no marks yet.
  const parts = value.split(CODE_OR_LINK)
  return parts.map((part, index) => (index % 2 === 0 ? unescaped(marks(part)) : codeOrLink(part))).join('')
}

function codeOrLink(part: string): string {
  if (part.startsWith('`')) return unescaped(part)
  if (MENTION.test(part)) return part
  const [url = '', text] = part.slice(1, -1).split('|')
  if (!/^[a-z][a-z+.-]*:/i.test(url)) return unescaped(part)
  return text === undefined ? `<${unescaped(url)}>` : `[${unescaped(text)}](${unescaped(url)})`
}

/** Slack reads marks only around words, within a line. */
function marks(text: string): string {
  return text
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g, '**$1**')
    .replace(/(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g, '~~$1~~')
    .replace(/^(\s*)• /gm, '$1- ')
}
