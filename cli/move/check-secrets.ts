import type { Kysely } from 'kysely'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { UsageError } from '../../lib/errors/errors.ts'
import { createVault, type Vault, VaultError } from '../../lib/vault/vault.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { isKeyOf } from '../../services/identity/key-format.ts'
import type { MoveSettings } from '../../services/settings/move.ts'
import { SEALED_COLUMNS, valuesNotUnder } from '../../services/vault-rotation.ts'

const BATCH = 500

/** An API key that is neither revoked nor expired, with its owner. */
export interface ActiveKey {
  id: string
  orgId: string
  userId: string
  /** The email of the user. */
  email: string | null
  agentId: string | null
  name: string
  prefix: string
  last4: string
  pepperId: string
}

/** The active API keys of all organizations, by organization and age. */
export function activeKeys(db: Kysely<Database>, clock: Clock): Promise<ActiveKey[]> {
  return acrossOrgs(db)
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .where('revoked_at', 'is', null)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date(clock.now()))]))
    .orderBy('org_id')
    .orderBy('api_keys.id')
    .select([
      'api_keys.id',
      'org_id as orgId',
      'user_id as userId',
      'email',
      'agent_id as agentId',
      'name',
      'prefix',
      'last4',
      'pepper_id as pepperId',
    ])
    .execute()
}

type Secrets = Pick<MoveSettings, 'vaultKeys' | 'peppers' | 'embedded' | 'dataDir' | 'environment'>

/**
 * Throws a UsageError if the secrets of the target do not open what is sealed, or do not match API keys that the target
 * accepts. Returns the number of values that open with no known key: they were lost before.
 */
export async function checkSecrets(
  db: Kysely<Database>,
  keys: readonly ActiveKey[],
  secrets: Secrets,
): Promise<{ sealed: number; lost: number }> {
  const { vaultKeys, peppers, embedded, dataDir, environment } = secrets
  const known = createVault(vaultKeys)
  const before = createVault(embedded?.vaultKeys ?? vaultKeys)
  const found = { sealed: 0, lost: 0, missed: 0 }
  for await (const { place, sealed } of sealedValues(db)) {
    found.sealed += 1
    if (opens(known, place, sealed)) continue
    if (embedded === undefined || opens(before, place, sealed)) found.missed += 1
    else found.lost += 1
  }
  if (found.missed > 0)
    throw new UsageError(
      `VAULT_KEYS does not open ${found.missed} of ${found.sealed} sealed values of the embedded database. ` +
        howToAdd('VAULT_KEYS', embedded && dataDir),
    )

  const unmatched = keys.filter(
    ({ prefix, pepperId }) => isKeyOf(prefix, environment) && !matches(pepperId, peppers, embedded?.peppers),
  )
  if (unmatched.length > 0)
    throw new UsageError(
      `API_KEY_PEPPERS does not match ${unmatched.length} of ${keys.length} API keys of the embedded database. ` +
        howToAdd('API_KEY_PEPPERS', embedded && dataDir),
    )
  return { sealed: found.sealed, lost: found.lost }
}

async function* sealedValues(db: Kysely<Database>) {
  for (const column of SEALED_COLUMNS) {
    for (let after = ''; ; ) {
      const values = await valuesNotUnder(db, column, { key: '', after, limit: BATCH })
      yield* values
      after = values.at(-1)?.row ?? ''
      if (values.length < BATCH) break
    }
  }
}

function opens(vault: Vault, place: Parameters<Vault['open']>[0], sealed: string): boolean {
  try {
    vault.open(place, sealed)
    return true
  } catch (error) {
    if (error instanceof VaultError) return false
    throw error
  }
}

/** Whether the target has the pepper, and under this ID the same one. */
function matches(id: string, peppers: KeyRing, before: KeyRing | undefined): boolean {
  const pepper = peppers.find(pepper => pepper.id === id)
  const known = before?.find(pepper => pepper.id === id)
  return pepper !== undefined && (known === undefined || known.key.equals(pepper.key))
}

function howToAdd(variable: string, dataDir: string | undefined): string {
  if (dataDir === undefined) return `Set ${variable} to what its gateway used. Nothing was copied.`
  return (
    `Leave ${variable} unset to use the one in ${dataDir}/secrets.json, or append that one to your own, after a comma and ` +
    `with a different ID (${variable}=<yours>,<that one>). Nothing was copied.`
  )
}
