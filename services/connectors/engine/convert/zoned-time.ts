import { GatewayError } from '../../../../lib/errors/errors.ts'

/** A time on the clocks of a time zone. */
interface ZonedTime {
  readonly dateTime: string
  readonly timeZone: string
}

/**
 * Converts `{ time, timeZone }` as JSON: a point in time to the time on the clocks of that zone, without an offset, and a
 * day to its start. Returns undefined without a time. Throws invalid_request for an unknown time zone.
 */
export function zonedTime(json: string): ZonedTime | undefined {
  const { time, timeZone }: { time?: string; timeZone: string } = JSON.parse(json)
  if (time === undefined) return undefined
  return { dateTime: isDay(time) ? `${time}T00:00:00` : onClocksOf(timeZone, new Date(time)), timeZone }
}

/** Whether a text is a day, as opposed to a point in time. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text)
}

function onClocksOf(timeZone: string, time: Date): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit'
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone })
  } catch {
    throw new GatewayError(
      'invalid_request',
      `${JSON.stringify(timeZone)} is not a time zone. Give a name of the IANA database, such as Europe/Berlin.`,
    )
  }
}
