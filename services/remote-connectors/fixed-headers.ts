import { GatewayError } from '../../lib/errors/errors.ts'
import { type Place, type Vault, VaultError } from '../../lib/vault/vault.ts'
import type { Registration, SealedHeaders } from './registration.ts'

/** Seals the fixed headers of registrations, and opens them for one request. */
export interface FixedHeaders {
  seal(registration: Pick<Registration, 'orgId' | 'id'>, headers: Readonly<Record<string, string>>): SealedHeaders
  /** The headers by name; none if the registration has none. Throws internal_error if their vault key is missing. */
  open(registration: Registration): Readonly<Record<string, string>>
}

const NONE: Readonly<Record<string, string>> = {}

export function createFixedHeaders({ vault }: { vault: Pick<Vault, 'seal' | 'open'> }): FixedHeaders {
  return {
    seal: (registration, headers) => ({
      names: Object.keys(headers),
      ...vault.seal(placeOf(registration), JSON.stringify(headers)),
    }),

    open(registration) {
      const { headers, slug } = registration
      if (headers === undefined) return NONE
      try {
        return JSON.parse(vault.open(placeOf(registration), headers.sealed))
      } catch (cause) {
        if (!(cause instanceof VaultError)) throw cause
        throw new GatewayError(
          'internal_error',
          `The fixed headers of ${slug} cannot be opened. Ask the operator to add their key to VAULT_KEYS. If that key is ` +
            `lost, an admin sends \`auth\` again with PATCH /connectors/org/${slug}.`,
          { cause },
        )
      }
    },
  }
}

function placeOf({ orgId, id }: Pick<Registration, 'orgId' | 'id'>): Place {
  return { table: 'remote_connectors', column: 'sealed', orgId, id }
}
