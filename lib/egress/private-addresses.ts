import { isIPv6 } from 'node:net'
import { sanitizeLine } from '../sanitize-text.ts'
import { isPrivateAddress } from './host.ts'

const REDACTED = '[private address]'

/** How many addresses of a text are parsed, because each takes several microseconds. All further ones are redacted. */
const MAX_PARSED = 500

/** The maximum length of an error text in characters. */
export const MAX_ERROR_TEXT = 64 * 1024

/** What may be an IPv4 address, with or without a port; never a part of a longer number or word. */
const IPV4 = /(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?!\.?\w)/g

/** What may be an IPv6 address, with or without brackets, zone and port. Bounded, so that the search stays linear. */
const IPV6 =
  /(?<![\w.:%])(?:\[[\da-f:.]{3,45}(?:%[\w-]{1,32})?\](?::\d{1,5})?|[\da-f]{0,4}:[\da-f:.]{1,45}(?:%[\w-]{1,32})?)(?![\w:])/gi

/**
 * Redacts private IP addresses in a provider's error: some providers quote hosts of their own network, or of the
 * gateway's. Host names and addresses in unusual notations stay. Cuts the text at `longest` characters.
 */
export function redactPrivateAddresses(text: string, longest = MAX_ERROR_TEXT): string {
  const kept = text.slice(0, longest)
  let parsed = 0
  const isPrivate = (address: string) => ++parsed > MAX_PARSED || isPrivateAddress(address)
  const rest = kept.includes(':') ? kept.replace(IPV6, found => withoutIPv6(found, isPrivate)) : kept
  return rest.replace(IPV4, (found, address: string) => (isPrivate(decimal(address)) ? REDACTED : found))
}

/**
 * Makes a foreign error a sentence of at most `length` characters without private IP addresses. Reads only as much of it
 * as `sanitizeLine` does, because each address takes several microseconds.
 */
export function foreignLine(text: string, length = 500): string {
  return sanitizeLine(redactPrivateAddresses(beginningOf(text, 4 * length)), length)
}

/** Ends before a word, so that no part of an address stays. */
function beginningOf(text: string, longest: number): string {
  if (text.length <= longest) return text
  const kept = text.slice(0, longest)
  const end = kept.search(/\s\S{0,99}$/)
  return end < 0 ? kept : kept.slice(0, end)
}

/** Without the zeros that some providers pad the numbers with, which would be read as octal numbers. */
function decimal(address: string): string {
  return address.replace(/\b0+(?=\d)/g, '')
}

function withoutIPv6(found: string, isPrivate: (address: string) => boolean): string {
  const [, address = '', dots = ''] = /^\[?(.*?)(?:%[\w-]*)?(?:\](?::\d+)?)?(\.*)$/.exec(found) ?? []
  // A port may follow an address without brackets.
  const portless = address.replace(/:\d{1,5}$/, '')
  // The notation first: for what is not an address, such as a time, that is many times faster than parsing it.
  return [address, portless].some(text => isIPv6(text) && isPrivate(text)) ? REDACTED + dots : found
}
