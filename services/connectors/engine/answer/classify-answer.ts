import { foreignLine } from '../../../../lib/egress/private-addresses.ts'
import { rejectsToken } from '../../../../lib/http/headers.ts'
import type { Redact } from '../../../../lib/redaction/redactor.ts'
import type { ConnectorDefinition } from '../../../definitions/connector-types.ts'
import { compilePointer, type Pointer } from '../../../definitions/placeholders.ts'
import { isRateLimited, type ProviderAnswer } from './provider-answer.ts'

/** A provider's error, in its own words. */
export interface ProviderFailure {
  readonly kind: 'unauthorized' | 'rate_limited' | 'scope_missing' | 'unavailable' | 'rejected'
  readonly status: number
  /** One line of at most 100 characters. */
  readonly code: string | undefined
  /** One line of at most 500 characters. */
  readonly message: string | undefined
}

/** Classifies an answer. Returns undefined for a success. */
export type ClassifyAnswer = (answer: ProviderAnswer) => ProviderFailure | undefined

/** The pointers that most providers use for error messages. They apply after those of the connector. */
const USUAL_MESSAGES = [
  '/error/message',
  '/message',
  '/error_description',
  '/detail',
  '/errors/0/message',
  '/error',
  '/title',
]

/** The maximum length of a provider's error code, in characters. */
const MAX_CODE = 100

/**
 * Compiles the classifier of a connector's answers. It uses the status and the connector's rules for errors under HTTP
 * 200.
 */
export function compileClassifier({
  errors,
  rateLimit,
}: Pick<ConnectorDefinition, 'errors' | 'rateLimit'>): ClassifyAnswer {
  const failedWhen = errors?.failedWhen
  const failedAt = failedWhen === undefined ? undefined : compilePointer(failedWhen.pointer)
  const codes = (errors?.code ?? []).map(compilePointer)
  const messages = [...(errors?.message ?? []), ...USUAL_MESSAGES].map(compilePointer)
  const rateLimited = new Set(errors?.rateLimited)
  const scopeMissing = new Set(errors?.scopeMissing)
  const unauthorized = new Set(errors?.unauthorized)
  const unauthorizedMessage =
    errors?.unauthorizedMessage === undefined ? undefined : new RegExp(errors.unauthorizedMessage)
  const denied = errors?.denied === undefined ? undefined : new RegExp(errors.denied)

  function failed({ status, json }: ProviderAnswer): boolean {
    // A redirect that was not followed did nothing.
    if (status >= 300) return true
    if (failedAt === undefined || failedWhen === undefined) return false
    const value = failedAt(json)
    if (typeof failedWhen.is === 'object') return value === failedWhen.is.text
    return failedWhen.is === 'false' ? value === false : isPresent(value)
  }

  /** The provider's own codes come first, because some statuses are misleading. */
  function kindOf(
    { status, headers }: ProviderAnswer,
    code: string | undefined,
    message: string | undefined,
  ): ProviderFailure['kind'] {
    if (code !== undefined && rateLimited.has(code)) return 'rate_limited'
    if (code !== undefined && scopeMissing.has(code)) return 'scope_missing'
    if (code !== undefined && unauthorized.has(code)) return 'unauthorized'
    if (message !== undefined && unauthorizedMessage?.test(message)) return 'unauthorized'
    if (isRateLimited(status, headers, rateLimit)) return 'rate_limited'
    if (rejectsToken(status, headers))
      return message !== undefined && denied?.test(message) ? 'rejected' : 'unauthorized'
    return status >= 500 || status === 408 ? 'unavailable' : 'rejected'
  }

  return function classifyAnswer(answer) {
    if (!failed(answer)) return undefined
    const { status, json, redact } = answer
    const code = lineOf(firstOf(codes, json, codeText), redact, MAX_CODE)
    const message = lineOf(firstOf(messages, json, messageText) ?? plainText(answer), redact)
    return { kind: kindOf(answer, code, message), status, code, message }
  }
}

/** Redacts before cutting: half a secret would not be recognized. */
function lineOf(text: string | undefined, redact: Redact, longest?: number): string | undefined {
  return text === undefined ? undefined : foreignLine(redact(text), longest) || undefined
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}

function firstOf(
  pointers: readonly Pointer[],
  json: unknown,
  read: (value: unknown) => string | undefined,
): string | undefined {
  for (const pointer of pointers) {
    const text = read(pointer(json))
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

function codeText(value: unknown): string | undefined {
  const code = Array.isArray(value) ? value[0] : value
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}

/**
 * Returns a message, or joins the lists and records of messages that validators return: `summary: is required; due: is
 * invalid`.
 */
function messageText(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  if ('message' in value && typeof value.message === 'string') return value.message
  const parts = Object.keys(value)
    .slice(0, 10)
    .map(name => [name, messageText((value as Record<string, unknown>)[name], depth + 1)] as const)
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([name, text]) => (Array.isArray(value) ? text : `${name}: ${text}`))
  return parts.length === 0 ? undefined : parts.join(Array.isArray(value) && depth > 0 ? ', ' : '; ')
}

/** A short plain-text body is a message; an HTML page is not. */
function plainText({ json, body, headers }: ProviderAnswer): string | undefined {
  if (json !== undefined && typeof json !== 'string') return undefined
  return body.length > 2000 || headers['content-type']?.includes('html') ? undefined : body
}
