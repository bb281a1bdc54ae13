import type { Egress } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { sanitizeText } from '../../lib/sanitize-text.ts'
import type { NetworkName, Note, Post, Profile, Thread, Trend } from '../../schemas/tools/social.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { createBluesky } from './bluesky.ts'
import { createHackerNews } from './hacker-news.ts'
import { createMastodon } from './mastodon.ts'
import { mergePages, type NetworkPage, type Positions, readCursor, writeCursor } from './merged-pages.ts'
import {
  isMetered,
  type ListQuery,
  type Network,
  type SearchQuery,
  type SocialCall,
  type ThreadOptions,
} from './network.ts'
import { createSendRequest } from './network-requests.ts'
import { createReddit } from './reddit.ts'
import type { Reference } from './references.ts'
import type { SocialSettings } from './social-settings.ts'
import { createX } from './x.ts'

/** The context of a tool call, without the notes that the networks make. */
export type ReaderCall = Omit<SocialCall, 'note'>

interface PageOptions {
  readonly limit: number
  readonly cursor: string | undefined
}

interface PostsOfNetworks {
  readonly posts: Post[]
  readonly nextCursor: string | null
  readonly notes: Note[]
}

/** Reads posts, threads and profiles of all networks. Throws GatewayErrors. */
export interface SocialReader {
  /** Searches several networks at once. A network that fails is in the notes and keeps its position. Fails if all fail. */
  search(
    networks: readonly NetworkName[],
    query: SearchQuery,
    page: PageOptions,
    call: ReaderCall,
  ): Promise<PostsOfNetworks>
  list(network: NetworkName, list: ListQuery, page: PageOptions, call: ReaderCall): Promise<PostsOfNetworks>
  getPost(post: Reference, options: ThreadOptions, call: ReaderCall): Promise<Thread>
  getProfile(profile: Reference, call: ReaderCall): Promise<Profile>
  trending(
    networks: readonly NetworkName[],
    limit: number,
    call: ReaderCall,
  ): Promise<{ trends: Trend[]; notes: Note[] }>
}

/** The maximum length of a text in a list, in UTF-16 code units. A single post has its whole text. */
const LISTED_LENGTH = 1_000

interface SocialReaderOptions extends Pick<Infrastructure, 'clock'> {
  egress: Pick<Egress, 'request'>
  social: SocialSettings
  version: string
  offered: readonly NetworkName[]
}

export function createSocialReader(options: SocialReaderOptions): SocialReader {
  return readerOf(openNetworks(options))
}

type Networks = ReadonlyMap<NetworkName, Network>

/** The reader over any networks. */
export function readerOf(networks: Networks): SocialReader {
  function networkOf(name: NetworkName): Network {
    const network = networks.get(name)
    if (network === undefined)
      throw new GatewayError(
        'invalid_request',
        `This gateway does not read ${name}. It reads: ${[...networks.keys()].join(', ')}.`,
      )
    return network
  }

  /** Reads the next page of each network that has more. */
  async function pagesOf(
    question: unknown,
    names: readonly NetworkName[],
    { limit, cursor, sort }: PageOptions & { sort: 'top' | 'latest' },
    notes: Note[],
    read: (network: Network, position: string | null, call: SocialCall) => ReturnType<Network['list']>,
    call: ReaderCall,
  ): Promise<PostsOfNetworks> {
    const asked = [question, names]
    const isValid = (name: string, position: string) => {
      const network = names.find(other => other === name)
      return network !== undefined && (position === '' || networkOf(network).isPosition(position))
    }
    const before: Positions =
      cursor === undefined ? new Map(names.map(name => [name, null])) : readCursor(asked, cursor, isValid)
    const results = await settle([...before.keys()], notes, call, (network, noted) =>
      read(network, before.get(network.name) ?? null, noted),
    )
    const pages = new Map<NetworkName, NetworkPage>(
      results.map(({ name, result }) => [name, 'value' in result ? { page: result.value } : result]),
    )
    const { posts, positions } = mergePages(pages, before, { sort, limit })
    return {
      posts: posts.map(shortened),
      nextCursor: positions.size === 0 ? null : writeCursor(asked, positions),
      notes,
    }
  }

  /** Asks several networks at once. Notes their failures; throws if all of them fail. */
  async function settle<T>(
    names: readonly NetworkName[],
    notes: Note[],
    call: ReaderCall,
    ask: (network: Network, call: SocialCall) => Promise<T>,
  ): Promise<readonly { name: NetworkName; result: { value: T } | { failure: GatewayError } }[]> {
    const results = await Promise.all(
      names.map(async name => {
        const noted = {
          ...call,
          note: (code: string, message: string) => void notes.push({ network: name, code, message }),
        }
        return { name, result: await outcomeOf(async () => ask(networkOf(name), noted)) }
      }),
    )
    const failures = results.flatMap(({ name, result }) =>
      'failure' in result ? [{ name, failure: result.failure }] : [],
    )
    const [first] = failures
    if (first !== undefined && failures.length === results.length)
      throw togetherOf(failures.map(({ failure }) => failure))
    for (const { name, failure } of failures)
      notes.push({
        network: name,
        code: failure.code,
        message: failure.message,
        ...(failure.retryAfter !== undefined && { retry_after: failure.retryAfter }),
      })
    return results
  }

  return {
    search(names, query, { limit, cursor }, call) {
      const share = Math.ceil(limit / names.length)
      return pagesOf(
        query,
        names,
        { limit, cursor, sort: query.sort },
        [],
        (network, position, noted) =>
          // What costs money is not read to be thrown away.
          network.search(query, { position, limit: isMetered(network.name) ? share : limit }, noted),
        call,
      )
    },

    list(name, list, { limit, cursor }, call) {
      return pagesOf(
        list,
        [name],
        { limit, cursor, sort: 'top' },
        [],
        (network, position, noted) => network.list(list, { position, limit }, noted),
        call,
      )
    },

    async getPost({ network, reference }, options, call) {
      const thread = await networkOf(network).getPost(reference, options, { ...call, note() {} })
      return { ...thread, ancestors: thread.ancestors.map(shortened), replies: thread.replies.map(shortened) }
    },

    async getProfile({ network, reference }, call) {
      return networkOf(network).getProfile(reference, { ...call, note() {} })
    },

    async trending(names, limit, call) {
      const notes: Note[] = []
      const results = await settle(names, notes, call, (network, noted) => network.trending(limit, noted))
      const trends = results.flatMap(({ result }) => ('value' in result ? result.value.slice(0, limit) : []))
      return { trends, notes }
    },
  }
}

function openNetworks({ egress, clock, social, version, offered }: SocialReaderOptions): Networks {
  const { addresses } = social
  const sendTo = (network: string) => createSendRequest({ egress, clock, network })
  const networks: Network[] = [
    createHackerNews({
      send: sendTo('Hacker News'),
      search: addresses.hackerNewsSearch,
      items: addresses.hackerNewsItems,
    }),
    createBluesky({
      send: sendTo('Bluesky'),
      clock,
      origin: addresses.bluesky,
      accounts: addresses.blueskyAccounts,
      account: social.bluesky,
    }),
    createMastodon({ send: sendTo('Mastodon'), instances: social.mastodonInstances, token: social.mastodonToken }),
  ]
  if (social.reddit !== undefined)
    networks.push(
      createReddit({
        send: sendTo('Reddit'),
        clock,
        origin: addresses.reddit,
        accounts: addresses.redditAccounts,
        app: social.reddit,
        version,
      }),
    )
  if (social.xBearerToken !== undefined)
    networks.push(createX({ send: sendTo('X'), clock, origin: addresses.x, bearerToken: social.xBearerToken }))
  return new Map(networks.filter(({ name }) => offered.includes(name)).map(network => [network.name, network]))
}

async function outcomeOf<T>(ask: () => Promise<T>): Promise<{ value: T } | { failure: GatewayError }> {
  try {
    return { value: await ask() }
  } catch (failure) {
    if (!(failure instanceof GatewayError)) throw failure
    return { failure }
  }
}

/** The first failure, with the messages of all. */
function togetherOf(failures: readonly GatewayError[]): GatewayError {
  const [first, ...others] = failures
  if (first === undefined || others.length === 0) return first as GatewayError
  return new GatewayError(first.code, failures.map(({ message }) => message).join(' '), {
    cause: first,
    ...(first.retryAfter !== undefined && { retryAfter: first.retryAfter }),
  })
}

function shortened<P extends Post>(post: P): P {
  return post.text.length <= LISTED_LENGTH ? post : { ...post, text: sanitizeText(post.text, LISTED_LENGTH) }
}
