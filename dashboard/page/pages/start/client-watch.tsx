import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CALLS_URL, type Call, useClientName } from '../../lib/calls.ts'
import { KEYS_URL, type Key } from '../../lib/keys.ts'
import { outcomeOf, useRemedy } from '../../lib/outcomes.ts'
import { useGet, usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Notice } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import './start.css'

/** Questions about tools come from this page itself. */
export const isReal = ({ tool }: Call) => tool !== 'manage__explain_tool'

/** What the user's own clients did since a point in time, read every few seconds: the last key used, the last call. */
export function useClientWatch(since: number) {
  const { user } = useSession()
  const keys = useGet<{ api_keys: Key[] }>(`${KEYS_URL}?limit=50`, { live: true })
  const calls = usePages<Call>(`${CALLS_URL}?user_id=${user.id}`, 'calls', { limit: 8, live: true })
  const isNew = (time: string) => new Date(time).getTime() >= since
  const used = keys.data?.api_keys
    .filter(({ user_id, last_used_at }) => user_id === user.id && last_used_at != null && isNew(last_used_at))
    .toSorted((a, b) => String(b.last_used_at).localeCompare(String(a.last_used_at)))[0]
  // A call without a client and a key may come from this page's own form, unless the user just came to connect a client.
  const isOfClient = ({ client, api_key_id }: Call) => client !== null || api_key_id !== null
  const call = calls.rows?.find(call => isReal(call) && isNew(call.at) && (isOfClient(call) || since > 0))
  const earlier = calls.rows?.find(call => isReal(call) && !isNew(call.at) && isOfClient(call))
  return { keys, used, call, earlier, error: keys.error ?? calls.query.error }
}

interface Watched {
  used: Key | undefined
  call: Call | undefined
  /** The last call before the user came here. */
  earlier: Call | undefined
}

/** "Waiting for your client …" or its last call, then what it called, or what went wrong. */
export function ClientWatch({ used, call, earlier }: Watched) {
  const remedyOf = useRemedy()
  const clientName = useClientName()
  if (call === undefined && used === undefined && earlier !== undefined)
    return (
      <p role="status">
        {earlier.client === null ? 'Your client' : clientName(earlier.client)} called <code>{earlier.tool}</code>{' '}
        <Time at={earlier.at} />. The next call appears here.
      </p>
    )
  if (call === undefined && used === undefined)
    return (
      <p className="waiting" role="status">
        <span className="spinner" /> Waiting for your client … It appears here as soon as it connects.
      </p>
    )
  return (
    <div role="status">
      {call === undefined ? (
        <Notice kind="good" title="Your client is connected.">
          The client used the key “{used?.name}” <Time at={used?.last_used_at ?? ''} />, but has not called a tool yet.
          Ask it to do something.
        </Notice>
      ) : (
        <Called call={call} fix={remedyOf(call)} />
      )}
    </div>
  )
}

function Called({ call, fix }: { call: Call; fix: { href: string; label: string } | undefined }): ReactNode {
  const clientName = useClientName()
  const { label, meaning } = outcomeOf(call.outcome)
  const name = call.client === null ? 'Your client' : clientName(call.client)
  if (call.outcome === 'ok')
    return (
      <Notice kind="good" title={`${name} called a tool.`}>
        <code>{call.tool}</code> <Time at={call.at} />
      </Notice>
    )
  return (
    <Notice kind="warn" title={`${name} called ${call.tool}, but the call failed: ${label}.`}>
      {meaning} {fix !== undefined && <Link href={fix.href}>{fix.label}</Link>}
    </Notice>
  )
}
