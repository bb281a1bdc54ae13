import { outcomeOf } from '../lib/outcomes.ts'
import { Badge } from './badge.tsx'

/** The outcome of a call. */
export function OutcomeBadge({ code }: { code: string }) {
  return <Badge tone={code === 'ok' ? 'good' : 'bad'}>{outcomeOf(code).label}</Badge>
}
