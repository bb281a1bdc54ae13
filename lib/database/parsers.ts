/** How both engines read the types they would read differently, by type oid. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  17: text => Buffer.from(text.slice(2), 'hex'), // bytea
  20: safeInteger, // int8
  1082: text => text, // date: a day, not a point in time
  1186: text => text, // interval
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no safe integer`)
  return value
}
