import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'

/** What a failed request to Stripe means: the object does not exist, Stripe rejected the request, or its answer is unknown. */
type FailureKind = 'missing' | 'rejected' | 'unknown'

/**
 * A failed request to Stripe, without what the SDK's error carries: objects with client secrets, URLs and headers, which
 * must not reach a log.
 */
export class StripeFailure extends Error {
  override readonly name = 'StripeFailure'
  readonly kind: FailureKind
  /** Stripe's code, such as `tax_id_invalid`. */
  readonly code: string | undefined
  /** Whether Stripe answered that it failed. It repeats this answer for the idempotency key for a day. */
  readonly answered: boolean

  constructor(
    kind: FailureKind,
    message: string,
    { code, status = 0 }: { code?: string | undefined; status?: number },
  ) {
    super(message)
    this.kind = kind
    this.code = code
    this.answered = status >= 500
  }
}

/** The code of a request whose idempotency key was used with other parameters. */
export const REUSED_KEY = 'idempotency_key_reused'

interface SdkError {
  type?: unknown
  code?: unknown
  statusCode?: unknown
  requestId?: unknown
}

/** Converts an error of the SDK; any other value stays. */
function stripeFailure(error: unknown): unknown {
  const { type, code, statusCode, requestId } = (error ?? {}) as SdkError
  if (!(error instanceof Error) || typeof type !== 'string' || !type.startsWith('Stripe')) return error
  const status = typeof statusCode === 'number' ? statusCode : 0
  const kind = code === 'resource_missing' ? 'missing' : isFinal(status) ? 'rejected' : 'unknown'
  const words = [`status ${status === 0 ? 'none' : status}`, code, requestId].filter(word => typeof word === 'string')
  return new StripeFailure(kind, `A request to Stripe failed: ${type} (${words.join(', ')})`, {
    code: type === 'StripeIdempotencyError' && status === 400 ? REUSED_KEY : text(code),
    status,
  })
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Whether a status says that nothing happened and that the same request fails again. 409: the same key is in flight. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 409 && status !== 429
}

/** Runs requests to Stripe. Throws a StripeFailure for an error of the SDK. */
export async function withStripe<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw stripeFailure(error)
  }
}

/** What Stripe rejects because of what a person entered, by its code. */
const ENTERED: Readonly<Record<string, string>> = {
  tax_id_invalid: 'tax_ids has an ID that is not valid for its type.',
  email_invalid: 'email is not an address that the payment provider accepts.',
  customer_tax_location_invalid: 'The payment provider does not recognize this address. Check country and postal_code.',
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
    if (error.kind === 'missing')
      throw new GatewayError(
        'not_found',
        'Payment object not found. List the objects of its kind, and use one of their IDs.',
        { cause: error },
      )
    const entered = error.kind === 'rejected' && ENTERED[error.code ?? '']
    if (entered) throw new GatewayError('invalid_request', entered, { cause: error })
    log.error({ err: error }, 'a request to Stripe failed')
    if (error.kind === 'rejected') throw error
    throw new GatewayError('upstream_unavailable', 'The payment provider did not respond. Retry later.', {
      cause: error,
    })
  }
}

/** The ID of an object of Stripe that may be expanded; null if there is no object. */
export function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}
