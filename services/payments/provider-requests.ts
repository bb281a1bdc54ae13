import { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/log.ts'
import { StripeFailure, withStripe } from './stripe-failure.ts'

/** What Stripe rejects because of what a person entered, by its code. */
const ENTERED: Readonly<Record<string, string>> = {
  tax_id_invalid: 'tax_ids has an ID that is not valid for its type.',
  email_invalid: 'email is not an address that the payment provider accepts.',
  customer_tax_location_invalid: 'address is not one that the payment provider knows. Check country and postal_code.',
  country_unsupported: 'address has a country that the payment provider does not support.',
}

/**
 * Runs requests to Stripe for a person who waits for the answer. Throws upstream_unavailable if Stripe does not answer,
 * invalid_request for what the person entered, not_found for a missing object, and StripeFailures for all else.
 */
export async function forPerson<R>(log: Logger, work: () => Promise<R>): Promise<R> {
  try {
    return await withStripe(work)
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    if (error.kind === 'missing') throw new GatewayError('not_found', 'There is no such object.', { cause: error })
    const entered = error.kind === 'rejected' && ENTERED[error.code ?? '']
    if (entered) throw new GatewayError('invalid_request', entered, { cause: error })
    log.error({ err: error }, 'a request to Stripe failed')
    if (error.kind === 'rejected') throw error
    throw new GatewayError('upstream_unavailable', 'The payment provider does not answer. Retry later.', {
      cause: error,
    })
  }
}
