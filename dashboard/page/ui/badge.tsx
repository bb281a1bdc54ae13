import type { ReactNode } from 'react'

/** What a badge says about a thing. */
type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain'

/** A short state of a row. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}
