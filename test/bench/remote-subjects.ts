import { isDeepStrictEqual } from 'node:util'
import { asModern, HEADERS, rpc } from './messages.ts'
import {
  type BenchRemote,
  CALLED_REMOTE,
  REMOTE_ARGUMENTS,
  REMOTE_CONTENT,
  REMOTES,
  remoteToolOf,
  upstreamPath,
} from './remotes.ts'
import type { Subject } from './subject.ts'

/** Only Linux reports the CPU time of a tree of processes. */
const CHAINS_MEASURABLE = process.platform === 'linux'

/** Returns a call of the upstream's tool by this name. */
function remoteCall(name: string) {
  return {
    holder: 'registered',
    headers: HEADERS,
    body: rpc('tools/call', { name, arguments: REMOTE_ARGUMENTS }),
    check({ result }) {
      if (!isDeepStrictEqual(result?.content, REMOTE_CONTENT))
        throw new Error(`Not the upstream's answer: ${JSON.stringify(result)}`)
    },
  } satisfies Partial<Subject>
}

/** Returns the same call by a modern client to a registration. */
function modernRemoteCall(remote: BenchRemote) {
  const name = remoteToolOf(remote)
  return { ...remoteCall(name), ...asModern({ name, arguments: REMOTE_ARGUMENTS }) } satisfies Partial<Subject>
}

/** The baseline of calls to a registered upstream: a route that passes the same message on to the same upstream. */
const PASSED_ON: Subject = {
  ...remoteCall(remoteToolOf(REMOTES.legacy)),
  title: 'bare Fastify route that passes the message on with undici',
  server: 'bare',
  path: upstreamPath('legacy'),
}
const PASSED_ON_MODERN: Subject = {
  ...modernRemoteCall(REMOTES.modern),
  title: `${PASSED_ON.title}, 2026-07-28`,
  server: 'bare',
  path: upstreamPath('modern'),
}

/** The line that is compared with chained proxies. */
export const REMOTE_CALL: Subject = {
  ...remoteCall(remoteToolOf(REMOTES.legacy)),
  title: 'tools/call of a registered upstream',
  server: 'info',
  against: PASSED_ON,
  atMost: 1.5,
}

/** Chained proxies that do the same, with one session for all connections. */
export const CHAINS: readonly Subject[] = !CHAINS_MEASURABLE
  ? []
  : (['mcp-proxy', 'supergateway'] as const).map(server => ({
      ...remoteCall(CALLED_REMOTE),
      title: `tools/call of the same upstream: ${server}, then supergateway`,
      server,
      against: PASSED_ON,
    }))

/** The lines of registered upstreams. */
export const REMOTE_SUBJECTS: readonly Subject[] = [
  PASSED_ON,
  REMOTE_CALL,
  {
    ...remoteCall(remoteToolOf(REMOTES.bearer)),
    title: `${REMOTE_CALL.title} with a token`,
    server: 'info',
    against: PASSED_ON,
  },
  PASSED_ON_MODERN,
  {
    ...modernRemoteCall(REMOTES.modern),
    title: `${REMOTE_CALL.title}, 2026-07-28`,
    server: 'info',
    against: PASSED_ON_MODERN,
    atMost: 1.5,
  },
  ...CHAINS,
]
