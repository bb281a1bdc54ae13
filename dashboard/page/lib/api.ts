import { isTokenReplaced, reloadOutdated } from './outdated.ts'
import { leave, readToken, saveToken, shownHeaders } from './token.ts'

/** An answer other than 2xx, or no answer. Its message is for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  readonly code: string

  constructor(message: string, { status, code }: { status: number; code: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Options {
  body?: unknown
  /** A repetition of a POST with the same key has no second effect. */
  key?: string
  signal?: AbortSignal
  accept?: string
  /** Whether the request is part of a change of the organization. Others wait for it, so that a 401 of it is final. */
  changesSession?: boolean
}

/**
 * Sends a request to the dashboard's own origin. Throws an ApiError. A 401 opens the sign-in page, unless another tab has
 * replaced the token meanwhile: nothing was done, and the request is sent again. The form of a dialog stays open instead. A page
 * that is outdated loads itself again.
 */
export async function request<T>(method: Method, url: string, options: Options = {}): Promise<T> {
  const { body, key, signal, accept = 'application/json', changesSession = false } = options
  const token = readToken()
  const headers: Record<string, string> = { accept, ...shownHeaders() }
  if (token !== null) headers['x-dashboard-token'] = token
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key !== undefined) headers['idempotency-key'] = key

  const response = await fetch(url, {
    method,
    headers,
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError('The gateway does not answer. Check your connection, then try again.', {
      status: 0,
      code: 'no_answer',
    })
  })
  const renewed = response.headers.get('x-dashboard-token')
  if (renewed !== null) saveToken(renewed)
  const answer = await read(response)
  if (response.ok) return answer as T
  if (response.status === 401 && url.startsWith('/api/')) {
    if (!changesSession && (await isTokenReplaced(token))) return request<T>(method, url, options)
    if (isFormOpen()) throw new ApiError(SESSION_ENDED, { status: 401, code: 'session_ended' })
    leave()
  }
  const error = toError(response.status, answer)
  if (error.code.toLowerCase() === 'page_outdated') reloadOutdated()
  throw error
}

const SESSION_ENDED =
  'Your session has ended. Sign in again in a new tab, then try again here. What you entered is kept.'

/** Whether the user is filling in the form of a dialog, which the sign-in page would take from them. */
function isFormOpen(): boolean {
  return document.querySelector('.dialog form') !== null
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.includes('json')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads each form of the gateway's errors: flat with a message, flat with `error`, or nested in `error`. */
function toError(status: number, answer: unknown): ApiError {
  const { message, code, error } = fields(answer)
  const nested = fields(error)
  const text = message ?? nested.message ?? error
  return new ApiError(
    typeof text === 'string' ? text : `The gateway answered ${status}. Try again, or ask its operator.`,
    { status, code: String(code ?? nested.code ?? (typeof error === 'string' ? error : status)) },
  )
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
