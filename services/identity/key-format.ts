import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'

const PREFIXES: Record<GatewayEnvironment, string> = {
  development: 'cgw_dev_',
  staging: 'cgw_stg_',
  production: 'cgw_live_',
}
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const TAIL = /^[0-9A-Za-z]{49}$/
/** What the prefixes of all environments begin with. */
const BRAND = 'cgw_'
/** How configurations write a variable or a value to fill in. */
const PLACEHOLDER = /^["'`]?[$<{%]/

/** Generates a key: the environment's prefix, 256 random bits in base62, and a CRC32 of the text before it. */
export function mintApiKey(environment: GatewayEnvironment): string {
  const body = PREFIXES[environment] + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  return body + checksum(body)
}

/** Whether text has the format and checksum of a key of this environment, so that a typo costs no lookup. */
export function isApiKey(text: string, environment: GatewayEnvironment): boolean {
  const prefix = PREFIXES[environment]
  if (!text.startsWith(prefix) || !TAIL.test(text.slice(prefix.length))) return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return checksum(body) === text.slice(-CHECKSUM_LENGTH)
}

/**
 * Why text is not a key of this environment, as sentences for its sender; undefined if its format and checksum are right.
 * They name nothing of the text but its public prefix, and need no lookup.
 */
export function keyFault(text: string, environment: GatewayEnvironment): string | undefined {
  if (isApiKey(text, environment)) return undefined
  const own = `${PREFIXES[environment]}…`
  if (text === '') return 'The API key is empty. Set it in your client.'
  for (const [other, prefix] of Object.entries(PREFIXES))
    if (other !== environment && text.startsWith(prefix))
      return `This is a ${other} key (${prefix}…); this gateway runs in ${environment}. Create a key here.`
  if (text.startsWith(BRAND)) return `This is not a complete API key (${own}); copy it again.`
  if (text.includes(BRAND)) return `Something precedes the API key. Send only the key (${own}).`
  if (PLACEHOLDER.test(text))
    return `This is a placeholder or an unset variable. Replace it with your API key (${own}).`
  return `This is not an API key of this gateway (${own}). Check the key in your client.`
}

/** What the keys of an environment begin with. */
export function keyPrefix(environment: GatewayEnvironment): string {
  return PREFIXES[environment]
}

/** Whether a key with this prefix is one of the environment; every other environment rejects it. */
export function isKeyOf(prefix: string, environment: GatewayEnvironment): boolean {
  return prefix.startsWith(PREFIXES[environment])
}

/** How lists show a key: its prefix with the first characters of the secret, and the last four characters. */
export function keyHint(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, key.lastIndexOf('_') + 5), last4: key.slice(-4) }
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_LENGTH)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}
