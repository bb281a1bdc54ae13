const DAY_MS = 86_400_000

/** The day in UTC of a point in time, as `2026-11-21`. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** When a day begins, in UTC. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

/** The day so many days after another; before it when negative. */
export function daysAfter(day: string, count: number): string {
  return utcDay(startOf(day).getTime() + count * DAY_MS)
}

/** How many days there are from one to another, both counted. */
export function daysFrom(from: string, to: string): number {
  return (startOf(to).getTime() - startOf(from).getTime()) / DAY_MS + 1
}

const DAY = /^[12]\d{3}-\d\d-\d\d$/

/** Whether a text is a day of the calendar, of a year that the database too takes for one. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  const start = startOf(text).getTime()
  return !Number.isNaN(start) && utcDay(start) === text
}

/** What is wrong with a text that is to be a day, by the name of what it was given as; undefined where nothing is. */
export function dayFault(name: string, text: string): string | undefined {
  if (isDay(text)) return undefined
  if (DAY.test(text)) return `${name} is ${text}, and there is no such day.`
  return `${name} is a day in UTC, written like 2026-11-21.`
}
