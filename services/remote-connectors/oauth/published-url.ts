/** As long as what is stored of an upstream's metadata may be: its URLs stand in entries that members and models read. */
const MAX_LENGTH = 2_048
const VISIBLE = /^[\x21-\x7e]+$/

/**
 * An http or https URL that a server publishes of itself, where it can be kept and shown to the letter: visible ASCII,
 * with no user in it and no fragment; else undefined.
 */
export function publishedUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !VISIBLE.test(text)) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.hash === '' && url.username === '' && url.password === '' ? url : undefined
}
