/**
 * Whether a request has a header more than once; the name is given in lower case. Node shows only the first value of
 * some headers (Host, Authorization, Content-Type) and joins the values of others.
 */
export function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i]
    if (raw?.length === name.length && (raw === name || raw.toLowerCase() === name)) count++
  }
  return count > 1
}
