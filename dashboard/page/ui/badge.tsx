import type { ReactNode } from 'react'
import { outcomeOf } from '../lib/outcomes.ts'

/** What a badge says about a thing. */
type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain'

/** A short state of a row. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

/** The outcome of a call. */
export function OutcomeBadge({ code }: { code: string }) {
  return <Badge tone={code === 'ok' ? 'good' : 'bad'}>{outcomeOf(code).label}</Badge>
}
