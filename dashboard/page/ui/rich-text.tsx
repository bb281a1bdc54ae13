import type { ReactNode } from 'react'

const PART = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\(https:\/\/[^)\s]+\)|https:\/\/[^\s<>()]*[^\s<>().,;:])/
const LINK = /^\[(.+)\]\((.+)\)$/

/** A sentence with `code`, *emphasized* and **bold** words, and links. Anything else stays as it is written. */
export function RichText({ text }: { text: string }): ReactNode {
  return text.split(PART).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    return <Part key={index} text={part} />
  })
}

function Part({ text }: { text: string }): ReactNode {
  if (text.startsWith('`')) return <code>{text.slice(1, -1)}</code>
  if (text.startsWith('**')) return <strong>{text.slice(2, -2)}</strong>
  if (/^\*.+\*$/.test(text)) return <em>{text.slice(1, -1)}</em>
  const [, name = text, url = text] = LINK.exec(text) ?? []
  if (url.startsWith('https://')) return <OutsideLink href={url}>{name.replace('https://', '')}</OutsideLink>
  return text
}

/** A link to a page of someone else, which opens in a tab of its own. */
export function OutsideLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" {...(className !== undefined && { className })}>
      {children}
    </a>
  )
}
