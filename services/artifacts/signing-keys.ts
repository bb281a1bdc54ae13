import { createSecretKey, hkdfSync } from 'node:crypto'
import type { KeyRing, NamedKey } from '../../lib/configuration/key-ring.ts'

const LABEL = 'connector-gateway artifact url v1'

/** The keys that sign the URLs of artifacts, one of each vault key and of its id: whoever learns one learns nothing of the vault (RFC 5869). */
export function signingKeysOf([first, ...rest]: KeyRing): KeyRing {
  return [derived(first), ...rest.map(derived)]
}

function derived({ id, key }: NamedKey): NamedKey {
  return { id, key: createSecretKey(Buffer.from(hkdfSync('sha256', key, '', LABEL, 32))) }
}
