import { formatAgo, formatClock, formatDateTime } from '../lib/format.ts'

/** A point in time relative to now; the exact one is its hint. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="number">
      {formatAgo(at)}
    </time>
  )
}

/** A point in time in a log, by the clock; the exact one is its hint. */
export function ClockTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="number">
      {formatClock(at)}
    </time>
  )
}
