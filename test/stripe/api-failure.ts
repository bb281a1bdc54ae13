interface Failure {
  type: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error' | 'authentication_error'
  code?: string
  param?: string
  message: string
  /** Of a declined charge. */
  payment_intent?: object
}

/** An error that Stripe answers. */
export class ApiFailure extends Error {
  readonly status: number
  readonly body: Failure

  constructor(status: number, body: Failure) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export function missing(what: string): ApiFailure {
  const message = `No such object: ${what}`
  return new ApiFailure(404, { type: 'invalid_request_error', code: 'resource_missing', message })
}

export function refused(code: string, param?: string): ApiFailure {
  return new ApiFailure(400, { type: 'invalid_request_error', code, message: code, ...(param && { param }) })
}
