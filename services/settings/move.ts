import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type KeyRing, parsePeppers, parseVaultKeys } from '../../lib/configuration/key-ring.ts'
import { withoutEmpty } from '../../lib/configuration/read-settings.ts'
import { ConfigurationError } from '../../lib/configuration/variable.ts'
import { UsageError } from '../../lib/errors/errors.ts'
import { developmentSecrets } from './key-settings.ts'
import { loadConfig } from './load.ts'
import type { Settings } from './settings.ts'

/** The settings of the gateway that the data moves to. `dataDir` is the directory that it moves from. */
export interface MoveSettings extends Settings {
  /** The secrets that development generated there; undefined if it has none. */
  readonly embedded: { readonly vaultKeys: KeyRing; readonly peppers: KeyRing } | undefined
  /** The secrets that are not set yet, as lines of an environment file. */
  secretsToSet(): readonly string[]
}

const SECRETS = ['API_KEY_PEPPERS', 'VAULT_KEYS'] as const

/**
 * Reads the settings for a move from an environment. Secrets that are not set are those of the embedded database, and
 * the public origins need not be known yet. Generates nothing. Throws a UsageError if there is no embedded database, a
 * ConfigurationError, or InvalidConfiguration.
 */
export function loadMoveConfig(env: Readonly<Record<string, string | undefined>>): MoveSettings {
  const set = withoutEmpty(env)
  const dataDir = resolve(set.DATA_DIR ?? 'data')
  requireEmbedded(dataDir)
  const generated = developmentSecrets.read(dataDir)
  const unset = SECRETS.filter(name => set[name] === undefined)
  const [missing] = generated === undefined ? unset : []
  if (missing !== undefined)
    throw new ConfigurationError(
      missing,
      'must be set to what the gateway on DATA_DIR used, because there is no secrets.json in DATA_DIR',
    )
  return {
    ...loadConfig({ PUBLIC_ORIGINS: 'http://localhost', ...generated, ...set }),
    embedded: generated && {
      vaultKeys: parseVaultKeys(generated.VAULT_KEYS),
      peppers: parsePeppers(generated.API_KEY_PEPPERS),
    },
    secretsToSet: () => (generated === undefined ? [] : unset.map(name => `${name}=${generated[name]}`)),
  }
}

/** Throws a UsageError if a directory has no embedded database. */
export function requireEmbedded(dataDir: string): void {
  if (existsSync(join(dataDir, 'db'))) return
  throw new UsageError(
    `There is no embedded database in ${dataDir}. Set DATA_DIR to the directory that the gateway used (it contains db/).`,
  )
}
