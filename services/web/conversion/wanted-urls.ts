/** Which URLs of a site are asked for. */
export interface WantedUrls {
  /** The host of the site, without `www.`. */
  site: string
  includeSubdomains: boolean
  /** In lower case; a URL has all of them. */
  words: readonly string[]
}

/** The maximum length of all URLs of an answer, in characters. */
export const MAX_URL_CHARS = 1_000_000

/** Returns whether a URL is one of them; false if it is not valid. */
export function isWanted(text: string, { site, includeSubdomains, words }: WantedUrls): boolean {
  const lower = text.toLowerCase()
  if (!words.every(word => lower.includes(word))) return false
  const host = URL.parse(text)?.hostname.replace(/^www\./, '')
  return host !== undefined && (host === site || (includeSubdomains && host.endsWith(`.${site}`)))
}
