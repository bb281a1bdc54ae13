import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import {
  API_KEY_PEPPERS,
  type KeyRing,
  keyEncodings,
  parsePeppers,
  parseVaultKeys,
  unsetRing,
  VAULT_KEYS,
} from '../../lib/configuration/key-ring.ts'
import { secretFile } from '../../lib/configuration/secret-file.ts'
import { settingOf } from '../../lib/configuration/setting.ts'
import { ConfigurationError, type Variable } from '../../lib/configuration/variable.ts'
import { dataDir } from './database-settings.ts'

/** The secrets of development in `<dataDir>/secrets.json`, each as its environment variable would hold it. */
export const developmentSecrets = secretFile(
  'secrets',
  Type.Object({ API_KEY_PEPPERS: Type.String({ minLength: 1 }), VAULT_KEYS: Type.String({ minLength: 1 }) }),
  () => ({ API_KEY_PEPPERS: newKey(), VAULT_KEYS: newKey() }),
)

function newKey(): string {
  return `dev:${randomBytes(32).toString('base64')}`
}

/** The secrets that an earlier start in development generated; undefined before the first one. */
const generated = settingOf([], ({ read }) => developmentSecrets.read(read(dataDir)))

function ringOf(
  source: Variable<string | undefined>,
  name: 'API_KEY_PEPPERS' | 'VAULT_KEYS',
  parse: (list: string) => KeyRing,
) {
  return settingOf(
    [source],
    ({ read, required }): KeyRing | undefined => {
      const list = required(source)
      if (list instanceof ConfigurationError) return unsetRing(list)
      const known = list ?? read(generated)?.[name]
      return known === undefined ? undefined : parse(known)
    },
    { secrets: ring => (ring === undefined ? [] : keyEncodings(ring)) },
  )
}

/** The peppers of API keys; undefined where a start in development has still to generate them. */
export const peppers = ringOf(API_KEY_PEPPERS, 'API_KEY_PEPPERS', parsePeppers)

/** The keys of the vault; undefined where a start in development has still to generate them. */
export const vaultKeys = ringOf(VAULT_KEYS, 'VAULT_KEYS', parseVaultKeys)
