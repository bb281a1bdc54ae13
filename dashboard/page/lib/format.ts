const MICROS = 1_000_000
const money = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const dateTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', hourCycle: 'h23' })
const dayAndClock = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto', style: 'short' })

/** Writes micro-dollars: `$5.00`, `-$0.000001`. */
export function formatMoney(micros: number): string {
  // The minus sign has the width of the plus sign; a hyphen has not.
  return money.format(micros / MICROS).replace('-', '\u2212')
}

/** Writes micro-dollars as the text of a field: `5`, `0.25`; empty for null. */
export function moneyText(micros: number | null): string {
  return micros === null ? '' : String(micros / MICROS)
}

/** Reads dollars such as `5`, `$5` or `0.25` as micro-dollars; undefined for any other text. */
export function parseMoney(text: string): number | undefined {
  const [, whole, fraction = ''] = /^\$?\s*(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text.trim()) ?? []
  return whole === undefined ? undefined : Number(whole) * MICROS + Number(fraction.padEnd(6, '0'))
}

/** Writes a day: `Nov 23, 2026`. */
export function formatDate(time: string): string {
  return date.format(new Date(time))
}

/** Writes a point in time with seconds, in the user's time zone. */
export function formatDateTime(time: string): string {
  return dateTime.format(new Date(time))
}

/** Writes a point in time for the rows of a log: `15:04:05` of today, else `Nov 22, 15:04`. */
export function formatClock(time: string, now = new Date()): string {
  const point = new Date(time)
  return (point.toDateString() === now.toDateString() ? clock : dayAndClock).format(point)
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Writes a point in time relative to now: `3 min. ago`, `in 2 days`. */
export function formatAgo(time: string, now = Date.now()): string {
  const seconds = Math.round((new Date(time).getTime() - now) / 1000)
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit === undefined ? 'just now' : relative.format(Math.trunc(seconds / unit[1]), unit[0])
}

/** Writes a duration: `38 ms`, `1.2 s`. */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** Begins a text with a capital letter. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
