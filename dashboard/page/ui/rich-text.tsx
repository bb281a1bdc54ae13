import type { ReactNode } from 'react'

/** A sentence with `code` and **bold** words. Anything else stays as it is written. */
export function RichText({ text }: { text: string }): ReactNode {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    if (part.startsWith('**')) return <strong key={index}>{part.slice(2, -2)}</strong>
    return part
  })
}
