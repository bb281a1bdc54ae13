const DAY_MS = 86_400_000

/** A period of a subscription, from its start up to its end. */
export interface Period {
  start: Date
  end: Date
}

/** The first monthly period of a subscription that begins at `anchor`. */
export function firstPeriod(anchor: Date): Period {
  return { start: anchor, end: addMonths(anchor, 1) }
}

/**
 * The monthly period after the one that ended at `end`, counted from `anchor`: from the 31st, periods begin on the last
 * day of shorter months. Periods that are over at `now` are skipped, because nobody used them.
 */
export function nextPeriod(anchor: Date, end: Date, now: Date): Period {
  const from = now.getTime() < end.getTime() ? end : now
  let count = monthsBetween(anchor, from)
  while (addMonths(anchor, count).getTime() > from.getTime()) count--
  const start = addMonths(anchor, count)
  // An end that is not on a boundary: the period continues from it.
  return { start: start.getTime() < end.getTime() ? end : start, end: addMonths(anchor, count + 1) }
}

function monthsBetween(from: Date, to: Date): number {
  return 12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth()
}

function addMonths(date: Date, count: number): Date {
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0)).getUTCDate()
  const ofDay = date.getTime() - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  return new Date(first + (Math.min(date.getUTCDate(), lastDay) - 1) * DAY_MS + ofDay)
}
