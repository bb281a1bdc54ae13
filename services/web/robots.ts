import { LRUCache } from 'lru-cache'
import { EgressError } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { Converter } from './converter.ts'
import type { PageSource } from './page-source.ts'
import { PoolError } from './pool.ts'
import type { RequestedBy } from './requested-by.ts'

/** The robots.txt of sites (RFC 9309). */
export interface Robots {
  /** Throws blocked_by_robots if the site's robots.txt forbids this gateway to read a URL. */
  requireAllowed(url: URL, by: RequestedBy): Promise<void>
  /** The sitemaps that the robots.txt of a site names. */
  sitemapsOf(origin: string, by: RequestedBy): Promise<readonly string[]>
}

interface RobotsOptions extends Pick<Infrastructure, 'clock'> {
  source: PageSource
  converter: Converter
  /** The name that a robots.txt has rules for. */
  agent: string
}

/** A robots.txt; `unavailable` if it is there but was not served. */
type RobotsFile = { text: string } | { unavailable: string }

/** More than this is not read (RFC 9309, section 2.5, asks for 500 KiB). */
const MAX_BYTES = 500 * 1024
const KEPT_MS = 3_600_000
const FAILED_KEPT_MS = 60_000
/** The maximum size of all kept files, in characters. */
const MAX_CACHE = 8 * 1024 ** 2

export function createRobots({ source, converter, clock, agent }: RobotsOptions): Robots {
  // Sites have one robots.txt for all, so organizations share the cache.
  const files = new LRUCache<string, { file: RobotsFile; until: number }>({
    maxSize: MAX_CACHE,
    sizeCalculation: ({ file }, origin) => 200 + origin.length + ('text' in file ? file.text.length : 0),
  })

  async function fileOf(origin: string, by: RequestedBy): Promise<RobotsFile> {
    const known = files.get(origin)
    if (known !== undefined && known.until > clock.now()) return known.file
    const file = await load(origin, by)
    files.set(origin, { file, until: clock.now() + ('text' in file ? KEPT_MS : FAILED_KEPT_MS) })
    return file
  }

  async function load(origin: string, by: RequestedBy): Promise<RobotsFile> {
    try {
      const request = { ...by, url: `${origin}/robots.txt`, accept: 'text/plain, */*;q=0.5' }
      return await source.fetch({ ...request, maxBytes: MAX_BYTES, cut: true }, ({ body }) => ({
        text: body.toString('utf8'),
      }))
    } catch (error) {
      // Section 2.3.1: a site without the file allows everything, a failing site nothing.
      const status = error instanceof GatewayError && error.code === 'http_status' ? error.details?.status : undefined
      if (typeof status === 'number') return status < 500 ? { text: '' } : { unavailable: `status ${status}` }
      if (error instanceof EgressError && error.reason === 'timeout') return { unavailable: 'no answer' }
      throw error
    }
  }

  async function apply(origin: string, text: string, url: string, by: RequestedBy) {
    try {
      return await converter.run({ kind: 'robots', robotsUrl: `${origin}/robots.txt`, text, url, agent }, by)
    } catch (error) {
      if (!(error instanceof PoolError) || error.reason === 'full' || error.reason === 'aborted') throw error
      throw blocked(`The robots.txt of ${new URL(origin).host} is too complex to apply, so nothing is read there.`)
    }
  }

  return {
    async requireAllowed(url, by) {
      const file = await fileOf(url.origin, by)
      if ('unavailable' in file)
        throw blocked(`${url.host} does not serve its robots.txt (${file.unavailable}), so nothing is read there.`)
      if (file.text === '') return
      const { allowed } = await apply(url.origin, file.text, url.href, by)
      if (!allowed) throw blocked(`The robots.txt of ${url.host} forbids ${agent} to read this URL.`)
    },

    async sitemapsOf(origin, by) {
      const file = await fileOf(origin, by)
      if ('unavailable' in file || file.text === '') return []
      return (await apply(origin, file.text, `${origin}/`, by)).sitemaps
    },
  }
}

function blocked(why: string): GatewayError {
  return new GatewayError('blocked_by_robots', `${why} Use another source.`)
}
