import type { ByteBudget } from '../../lib/egress/byte-budget.ts'
import type { Egress, EgressStream } from '../../lib/egress/egress.ts'
import { EgressError } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { retryAfter } from '../../lib/http/headers.ts'
import type { RequestedBy } from './requested-by.ts'
import { httpStatus } from './web-errors.ts'

/** A fetched body. */
interface FetchedPage {
  /** The URL that answered, after redirects. */
  url: string
  status: number
  contentType: string | undefined
  body: Buffer
}

interface SourceRequest extends RequestedBy {
  url: string
  accept: string
  /** The maximum number of decoded bytes. */
  maxBytes: number
  /** Whether the beginning of a larger body will do. */
  cut?: boolean
  /** Whether robots.txt applies: to pages, not to the files that are made for robots. */
  robots?: { requireAllowed(url: URL, by: RequestedBy): Promise<void> } | undefined
}

/** Fetches pages through egress. */
export interface PageSource {
  /**
   * Fetches a page and passes it to `use`, which must not keep the body. Throws GatewayErrors and EgressErrors, and what
   * `use` throws.
   */
  fetch<T>(request: SourceRequest, use: (page: FetchedPage) => T | Promise<T>): Promise<T>
}

interface PageSourceOptions {
  egress: Pick<Egress, 'stream'>
  budget: ByteBudget
  userAgent: string
  /** The time limit for a page with its redirects, in milliseconds. */
  deadlineMs: number
}

/** A browser gives up after 20; a page that needs more than this is a loop. */
const MAX_REDIRECTS = 5
/** Of a body that is cut, at most one chunk more than wanted arrives. */
const CUT_MAX_BYTES = 64 * 1024 ** 2
/** Receives the number of bytes of each chunk. */
type Count = (bytes: number) => void
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export function createPageSource({ egress, budget, userAgent, deadlineMs }: PageSourceOptions): PageSource {
  async function get(
    { url: first, accept, maxBytes, cut = false, robots, orgId, signal }: SourceRequest,
    count: Count,
  ): Promise<FetchedPage> {
    const deadline = AbortSignal.timeout(deadlineMs)
    const ends = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
    let url = withoutFragment(first)

    function send(url: URL): Promise<EgressStream> {
      const headers = { accept, 'user-agent': userAgent }
      const limits = { maxBytes: cut ? CUT_MAX_BYTES : maxBytes, deadlineMs, concurrencyKey: orgId }
      return egress.stream({ method: 'GET', url, headers, ...limits, signal: ends })
    }

    try {
      for (let redirects = 0; ; redirects++) {
        await robots?.requireAllowed(url, { orgId, signal: ends })
        const answer = await overHttps(url, send)
        const { status, headers } = answer
        const target = REDIRECTS.has(status) ? headers.location : undefined
        if (target === undefined) {
          if (status >= 400) throw refusedBy(answer)
          return {
            url: answer.url,
            status,
            contentType: headers['content-type'],
            body: await bytesOf(answer, maxBytes, count),
          }
        }
        answer.body.destroy()
        if (redirects === MAX_REDIRECTS)
          throw new GatewayError(
            'http_status',
            `${url.host} redirects more than ${MAX_REDIRECTS} times. Use another URL.`,
          )
        const next = URL.parse(target, answer.url)
        if (next === null) throw new GatewayError('http_status', `${url.host} redirects to an invalid URL.`)
        url = withoutFragment(next.href)
      }
    } catch (error) {
      if (deadline.aborted && signal?.aborted !== true)
        throw new EgressError('timeout', `${url.host} took too long.`, { cause: error })
      throw error
    }
  }

  return {
    async fetch(request, use) {
      const held = budget.open(request.orgId)
      try {
        return await use(await get(request, held.add))
      } finally {
        held.end()
      }
    },
  }
}

/** Sends a request over https where egress refuses http: most of these sites redirect there anyway. */
async function overHttps(url: URL, send: (url: URL) => Promise<EgressStream>): Promise<EgressStream> {
  try {
    return await send(url)
  } catch (error) {
    if (!(error instanceof EgressError) || error.reason !== 'refused' || url.protocol !== 'http:' || url.port !== '')
      throw error
    const secure = new URL(url)
    secure.protocol = 'https:'
    return send(secure)
  }
}

function withoutFragment(text: string): URL {
  const url = URL.parse(text)
  if (url === null)
    throw new GatewayError('invalid_request', 'The URL is not valid. Send one that begins with https://.')
  if (url.username !== '' || url.password !== '')
    throw new GatewayError('refused_destination', 'The URL has a user name or a password. Send it without them.')
  url.hash = ''
  return url
}

function refusedBy({ status, headers, url, body }: EgressStream): GatewayError {
  body.destroy()
  return httpStatus(status, new URL(url).host, retryAfter(headers['retry-after'], Date.now()))
}

/** Reads a body up to a number of bytes. Leaving the loop ends the exchange. */
async function bytesOf({ body }: EgressStream, maxBytes: number, count: Count): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    count(chunk.length)
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
