/** `Retry-After` in seconds, from its number or its date (RFC 9110, 10.2.3): negative for one that has passed. */
export function retryAfter(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined
  return numberOf(header) ?? secondsUntil(header, now)
}

/** A number as headers have it, with a fraction where a provider is that exact; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  return /^\s*\d{1,16}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined
}

/** Seconds until a date that is written out; undefined for what is none. */
export function secondsUntil(date: string, now: number): number | undefined {
  const time = Date.parse(date)
  return Number.isNaN(time) ? undefined : (time - now) / 1_000
}
