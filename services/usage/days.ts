import { GatewayError } from '../../lib/errors/errors.ts'

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
function daysFrom(from: string, to: string): number {
  return (startOf(to).getTime() - startOf(from).getTime()) / DAY_MS + 1
}

const DAY = /^[12]\d{3}-\d\d-\d\d$/

/** Whether a text is a day of the calendar, of a year that the database too takes for one. */
function isDay(text: string): boolean {
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

/** Days of one question at most. */
const MOST_DAYS = 92
/** How far back a question goes that does not say. */
const USUAL_DAYS = 30

/** Days in UTC, the first and the last one. */
export interface Days {
  from: string
  to: string
}

/** What people call stretches of days. */
export const PERIODS = ['today', 'yesterday', 'last_7_days', 'last_30_days', 'this_month', 'last_month'] as const

type Period = (typeof PERIODS)[number]

/** Days as they are asked for: by a name, or from and to; the last 30 where nothing is said. */
export interface AskedDays {
  period?: Period | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The days that are meant, by the given time. Throws invalid_request where that cannot be told, or they are too many. */
export function askedDays({ period, from, to }: AskedDays, now: number): Days {
  const today = utcDay(now)
  if (period !== undefined) {
    if ((from ?? to) !== undefined) refuse('Give a period, or from and to: not both.')
    return daysOfPeriod(period, today)
  }
  const last = to ?? today
  if (from !== undefined) return checked({ from, to: last })
  return isDay(last) ? { from: daysAfter(last, 1 - USUAL_DAYS), to: last } : checked({ from: last, to: last })
}

function daysOfPeriod(period: Period, today: string): Days {
  const first = `${today.slice(0, 8)}01`
  const lastOfPrevious = daysAfter(first, -1)
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: daysAfter(today, -1), to: daysAfter(today, -1) }
    case 'last_7_days':
      return { from: daysAfter(today, -6), to: today }
    case 'last_30_days':
      return { from: daysAfter(today, 1 - USUAL_DAYS), to: today }
    case 'this_month':
      return { from: first, to: today }
    case 'last_month':
      return { from: `${lastOfPrevious.slice(0, 8)}01`, to: lastOfPrevious }
  }
}

function checked({ from, to }: Days): Days {
  for (const [name, day] of Object.entries({ to, from })) {
    const fault = dayFault(name, day)
    if (fault !== undefined) refuse(fault)
  }
  if (from > to) refuse(`from (${from}) is after to (${to}). Give the earlier day as from.`)
  const days = daysFrom(from, to)
  if (days > MOST_DAYS) refuse(`${from} to ${to} are ${days} days. Ask for at most ${MOST_DAYS} at once.`)
  return { from, to }
}

function refuse(message: string): never {
  throw new GatewayError('invalid_request', message)
}
