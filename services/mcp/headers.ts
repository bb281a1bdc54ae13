/** Node's header record: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A header's value without the white space around it, which is no part of it (RFC 9110, 5.5). */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : value?.join(', ').trim()
}
