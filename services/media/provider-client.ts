import type { Readable } from 'node:stream'
import { readBounded } from '../../lib/egress/bodies.ts'
import type { AnswerHead, Egress, EgressRequest } from '../../lib/egress/egress.ts'
import { parseUpstream } from '../../lib/http/json.ts'
import { sanitizeLine } from '../../lib/sanitize-text.ts'
import type { MediaProvider } from '../../schemas/tools/media.ts'
import { MediaFailure } from './adapter.ts'
import type { MediaProviderSettings } from './media-settings.ts'
import { MEDIA_KEYS } from './media-settings.ts'

/** The maximum size of a JSON answer, which may contain several images. */
const MAX_JSON_BYTES = 96 * 1024 * 1024
/** How long a provider may work on a request that it answers with the result. */
const DEADLINE_MS = 280_000

/** What an adapter knows about the answers of its provider. */
interface ProviderForm {
  provider: MediaProvider
  /** As messages name it. */
  brand: string
  /** The header that carries the key. */
  authorize(key: string): Readonly<Record<string, string>>
  /** The message of an error's body; undefined if it has none. */
  messageOf(body: unknown): string | undefined
  /** Whether an error means that the provider does not make such content. */
  isRefusal(body: unknown): boolean
  /** Whether an error means that the operator's account is used up. */
  isUsedUp?(body: unknown): boolean
}

interface ProviderRequest extends Pick<EgressRequest, 'headers' | 'maxRedirects' | 'signal'> {
  method: 'GET' | 'POST' | 'PUT'
  /** A path of the base URL, or a URL that the provider named. */
  to: string
  /** JSON, or a form. */
  body?: object | FormData
  orgId: string
}

/** The requests of an adapter, each with the key of the operator. They throw MediaFailures and EgressErrors. */
export interface ProviderClient {
  json(request: ProviderRequest): Promise<{ body: unknown; headers: AnswerHead['headers'] }>
  /** Opens a file that the provider made. Its key is sent only to its own origin. */
  stream(request: ProviderRequest): Promise<{ body: Readable; headers: AnswerHead['headers'] }>
}

export function createProviderClient(
  egress: Pick<Egress, 'request' | 'stream'>,
  { key, baseUrl }: MediaProviderSettings,
  form: ProviderForm,
): ProviderClient {
  const { origin } = new URL(baseUrl)

  function toEgress({ method, to, body, orgId, headers = {}, ...rest }: ProviderRequest): EgressRequest {
    const url = to.startsWith('/') ? `${baseUrl}${to}` : to
    const isForm = body instanceof FormData
    return {
      method,
      url,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(URL.canParse(url) &&
        new URL(url).origin === origin && { credential: { origin, headers: form.authorize(key) } }),
      deadlineMs: DEADLINE_MS,
      concurrencyKey: orgId,
      ...rest,
    }
  }

  function failure(status: number, text: string, headers: AnswerHead['headers']): MediaFailure {
    const { brand, provider } = form
    const body = parseUpstream(text)
    const told = sanitizeLine((form.messageOf(body) ?? '').replaceAll(key, '…').replace(/https?:\/\/\S+/gi, '…'), 300)
    const operator = `Ask the operator to check ${MEDIA_KEYS[provider].name}.`
    const because = told === '' ? '.' : `: ${told}`
    if (form.isUsedUp?.(body) === true || status === 402)
      return new MediaFailure('provider_failed', `The gateway's account at ${brand} is used up. ${operator}`)
    if (status === 401 || (status === 403 && !form.isRefusal(body)))
      return new MediaFailure('provider_failed', `${brand} rejected the gateway's key. ${operator}`)
    if (status === 429)
      return new MediaFailure('provider_busy', `${brand} is busy. Retry later.`, {
        transient: true,
        retryAfter: secondsOf(headers['retry-after']),
      })
    if (status >= 500)
      return new MediaFailure('provider_failed', `${brand} failed (${status})${because}`, { transient: true })
    if (form.isRefusal(body))
      return new MediaFailure(
        'content_refused',
        `${brand} refused to generate this content. Change the prompt or the files${because}`,
      )
    if (status >= 400) return new MediaFailure('bad_input', `${brand} rejected the request${because}`)
    return new MediaFailure('provider_failed', `${brand} answered with the unexpected status ${status}.`)
  }

  return {
    async json(request) {
      const { status, body: text, headers } = await egress.request({ ...toEgress(request), maxBytes: MAX_JSON_BYTES })
      if (status < 200 || status > 299) throw failure(status, text, headers)
      const body = parseUpstream(text)
      if (body === undefined)
        throw new MediaFailure('provider_failed', `${form.brand} sent an answer that is not JSON.`)
      return { body, headers }
    },

    async stream(request) {
      const { status, body, headers } = await egress.stream({ ...toEgress(request), maxBytes: MAX_FILE_BYTES })
      if (status >= 200 && status <= 299) return { body, headers }
      const { bytes } = await readBounded(body, MAX_ERROR_BYTES)
      throw failure(status, bytes.toString(), headers)
    },
  }
}

/** The maximum size of a generated file. */
const MAX_FILE_BYTES = 2 * 1024 ** 3
const MAX_ERROR_BYTES = 64 * 1024

function secondsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,5}$/.test(header) ? Number(header) : undefined
}

/** A member of a value that may be anything; undefined if it has none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (place, step) =>
      typeof place === 'object' && place !== null ? (place as Record<string | number, unknown>)[step] : undefined,
    value,
  )
}

/** A text member of a value that may be anything. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** A number member of a value that may be anything, from 0. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined
}

/** A list member of a value that may be anything; empty if it has none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
