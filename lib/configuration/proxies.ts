import { isIP } from 'node:net'
import { mustBe } from './configuration-error.ts'
import { splitList } from './lists.ts'

const BITS: Record<number, number> = { 4: 32, 6: 128 }

/** The addresses and CIDRs whose forwarded headers are believed; a prefix of 0 would believe everyone, and is refused. */
export function parseProxies(list: string): readonly string[] {
  const proxies = splitList(list)
  if (proxies.length === 0 || !proxies.every(isNetwork)) throw mustBe('TRUST_PROXY')
  return proxies
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = BITS[isIP(address)]
  if (bits === undefined || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits
}
