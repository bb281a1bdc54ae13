import { sql } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import { errorCode } from '../../lib/database/database-errors.ts'
import { acrossOrgs, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { hasHidden } from '../../lib/sanitize-text.ts'
import { dollars } from '../../schemas/billing/money.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { changeIn } from '../organizations/change.ts'
import { requireMicros } from '../organizations/requirements.ts'

/** A credit to take back. */
interface NewReversal {
  /** The posting of the credit. */
  posting: string
  /** In micro-dollars; undefined for all that is left of the credit. */
  amountMicros: number | undefined
  reference: string | undefined
  by: Actor
}

/** What was taken back, in micro-dollars. */
interface Reversal {
  /** The posting of the reversal. */
  id: string
  orgId: string
  takenMicros: number
  /** What is left of the credit. */
  remainingMicros: number
  /** Whether a reversal with this reference existed. */
  repeated: boolean
}

/**
 * Takes back a credit that no payment paid, at most what the wallet has available. A repeated reference answers the first
 * reversal. Throws not_found for an unknown credit, and invalid_request for more than is left of it, for an empty wallet,
 * and for a reference of another posting.
 */
export type ReverseCredit = (reversal: NewReversal) => Promise<Reversal>

export function createReverseCredit(options: Pick<Infrastructure, 'db' | 'ids' | 'audit'>): ReverseCredit {
  const { db, ids, audit } = options

  async function take(org: OrgDatabase, { posting, amountMicros, reference, by }: NewReversal): Promise<Reversal> {
    const id = ids('txn')
    const description = `Reversal of the credit ${posting}`
    const { rows } = await sql<{ posting: string | null; taken: number; remaining: number }>`
      select * from gateway_reverse_credit(${org.orgId}, ${id}, ${posting}, ${amountMicros ?? null}, ${description},
        ${reference ?? null})`
      .execute(org.db)
      .catch(error => {
        throw refused(error, posting) ?? error
      })
    const [taken] = rows
    if (taken === undefined || taken.posting === null)
      throw taken?.remaining === 0 ? nothingLeft(posting) : nothingAvailable()
    const repeated = taken.posting !== id
    if (!repeated) {
      const detail = { amountMicros: taken.taken, description, ...(reference !== undefined && { reference }) }
      await audit.record(org, { by, action: 'wallet.reverse', target: id, detail })
    }
    return { id: taken.posting, orgId: org.orgId, takenMicros: taken.taken, remainingMicros: taken.remaining, repeated }
  }

  return async reversal => {
    const { posting, amountMicros, reference, by } = reversal
    if (amountMicros !== undefined) requireMicros('amount_micros', amountMicros, { from: 1 })
    if (reference !== undefined) requireReference(reference)
    // The ID names the organization, which the operator need not repeat.
    const found = await acrossOrgs(db)
      .selectFrom('ledger_postings')
      .where('id', '=', posting)
      .select('org_id')
      .executeTakeFirst()
    if (found === undefined) throw unknownCredit(posting)
    return changeIn(db, { orgId: found.org_id, by }, org => take(org, reversal))
  }
}

function refused(error: unknown, posting: string): GatewayError | undefined {
  switch (errorCode(error)) {
    case 'GW007': {
      const left = Number((error as { detail?: string }).detail)
      return left === 0
        ? nothingLeft(posting)
        : new GatewayError('invalid_request', `Only ${dollars(left)} is left of ${posting}. Take back at most that.`)
    }
    case 'GW009':
      return referenceTaken(error)
    case 'GW010':
      return unknownCredit(posting)
  }
}

function nothingLeft(posting: string): GatewayError {
  return new GatewayError('invalid_request', `Nothing is left of ${posting}: all of it was taken back.`)
}

function nothingAvailable(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'The wallet has no available balance: amounts that were spent or are held for running calls are not taken back. Nothing was changed.',
  )
}

function unknownCredit(posting: string): GatewayError {
  return new GatewayError('not_found', `There is no credit ${posting}. Refund payments at the payment provider.`)
}

/** The error for a reference that another posting has. */
export function referenceTaken(error: unknown): GatewayError {
  const { detail } = error as { detail?: string }
  return new GatewayError(
    'invalid_request',
    `This reference belongs to ${detail}, which has another amount or kind. Use a new reference.`,
    { cause: error },
  )
}

/** Throws invalid_request unless a text can be a reference. */
export function requireReference(reference: string): void {
  if (!/^.{1,200}$/u.test(reference) || reference.trim() === '' || hasHidden(reference))
    throw new GatewayError('invalid_request', 'reference must be 1 to 200 visible characters on one line.')
}
