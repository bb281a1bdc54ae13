import { formatAgo, formatDateTime } from '../lib/format.ts'

/** A point in time relative to now; the exact one is its hint. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="number">
      {formatAgo(at)}
    </time>
  )
}
