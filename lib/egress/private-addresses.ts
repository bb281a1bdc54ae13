import { isIPv6 } from 'node:net'
import { sanitizeLine } from '../sanitize-text.ts'
import { isPrivateAddress } from './host.ts'

const REDACTED = '[private address]'

/** The maximum length of an error text in characters. In a text of nothing but addresses, each takes a few microseconds. */
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
  const rest = kept.includes(':') ? kept.replace(IPV6, redactIPv6) : kept
  return rest.replace(IPV4, (found, address: string) => (isPrivateAddress(decimal(address)) ? REDACTED : found))
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

function redactIPv6(found: string): string {
  const [, address = '', dots = ''] = /^\[?(.*?)(?:%[\w-]*)?(?:\](?::\d+)?)?(\.*)$/.exec(found) ?? []
  // A port may follow an address without brackets.
  const portless = address.replace(/:\d{1,5}$/, '')
  return isPrivateIPv6(address) || isPrivateIPv6(portless) ? REDACTED + dots : found
}

/** Checks the notation first: for what is not an address, such as a time, that is many times faster than parsing it. */
function isPrivateIPv6(text: string): boolean {
  return isIPv6(text) && isPrivateAddress(text)
}
