import { GatewayError } from '../../lib/errors/errors.ts'

const DAY_MS = 86_400_000

/** The day in UTC of a point in time, as `2026-11-21`. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The start of a day, in UTC. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

/** The day that is `count` days after another, or before it if negative. */
export function daysAfter(day: string, count: number): string {
  return utcDay(startOf(day).getTime() + count * DAY_MS)
}

/** The number of days from one day to another, including both. */
function daysFrom(from: string, to: string): number {
  return (startOf(to).getTime() - startOf(from).getTime()) / DAY_MS + 1
}

const DAY = /^[12]\d{3}-\d\d-\d\d$/

/** Whether text is an existing day, in a year that the database supports. */
function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  const start = startOf(text).getTime()
  return !Number.isNaN(start) && utcDay(start) === text
}

/** What is wrong with the day in a named argument; undefined if it is valid. */
export function dayFault(name: string, text: string): string | undefined {
  if (isDay(text)) return undefined
  if (DAY.test(text)) return `${name} is ${text}, which does not exist.`
  return `${name} must be a day in UTC, such as 2026-11-21.`
}

/** The maximum number of days of a summary. */
const MOST_DAYS = 92
/** The number of days of a summary without a start. */
const USUAL_DAYS = 30

/** A range of days in UTC, including both. */
export interface Days {
  from: string
  to: string
}

/** The named ranges of days. */
export const PERIODS = ['today', 'yesterday', 'last_7_days', 'last_30_days', 'this_month', 'last_month'] as const

type Period = (typeof PERIODS)[number]

/** A requested range: a name, or from and to. The last 30 days without either. */
export interface AskedDays {
  period?: Period | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Resolves a requested range at the given time. Throws invalid_request if it is invalid or too long. */
export function askedDays({ period, from, to }: AskedDays, now: number): Days {
  const today = utcDay(now)
  if (period !== undefined) {
    if ((from ?? to) !== undefined) refuse('Use period, or from and to, but not both.')
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
  if (from > to) refuse(`from (${from}) is after to (${to}). Use the earlier day as from.`)
  const days = daysFrom(from, to)
  if (days > MOST_DAYS) refuse(`${from} to ${to} are ${days} days. Request at most ${MOST_DAYS} days at once.`)
  return { from, to }
}

function refuse(message: string): never {
  throw new GatewayError('invalid_request', message)
}
