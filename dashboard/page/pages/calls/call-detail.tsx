import { type ReactNode, useState } from 'react'
import type { Call } from '../../lib/calls.ts'
import { useClientName } from '../../lib/client-name.ts'
import { useAccounts } from '../../lib/connectors.ts'
import { formatDateTime } from '../../lib/format.ts'
import { outcomeOf, toolPath, useRemedy } from '../../lib/outcomes.ts'
import { shortId, useAgents, usePeople } from '../../lib/people.ts'
import { useGet } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/layout.tsx'
import { KEYS_URL, type Key } from '../keys/key.ts'
import { Explanation } from '../tools/explanation.tsx'
import type { ChangeFilters } from './call-filters.tsx'

/** All about one call. For a failed one: what happened, and the page that fixes it. */
export function CallDetail({ call, onFilter }: { call: Call; onFilter: ChangeFilters }) {
  const { user } = useSession()
  const { accounts } = useAccounts()
  const remedy = useRemedy()(call)
  const [asked, ask] = useState(false)
  const failed = call.outcome !== 'ok'
  const own = call.user_id === user.id
  const alias = accounts?.find(({ id }) => id === call.account_id)?.alias
  const { meaning } = outcomeOf(call.outcome)
  return (
    <div className="stack call-detail">
      {failed && <Why call={call} meaning={meaning} />}
      <div className="row">
        {remedy !== undefined && (
          <ButtonLink size="small" kind="primary" href={remedy.href}>
            {remedy.label}
          </ButtonLink>
        )}
        {own && (
          <ButtonLink size="small" icon="play" href={toolPath(call.tool, alias)}>
            {failed ? 'Run it again' : 'Call the tool again'}
          </ButtonLink>
        )}
        {failed && own && !asked && (
          <Button size="small" icon="circle-help" onClick={() => ask(true)}>
            Can I call it now?
          </Button>
        )}
      </div>
      {asked && <Explanation tool={call.tool} account={alias} />}
      <CallFacts call={call} />
      <div className="row call-filters">
        <Button size="small" kind="quiet" onClick={() => onFilter({ tool: call.tool, connector: null })}>
          Only this tool
        </Button>
        {call.api_key_id !== null && (
          <Button size="small" kind="quiet" onClick={() => onFilter({ api_key_id: call.api_key_id })}>
            Only this key
          </Button>
        )}
        {call.account_id !== null && (
          <Button size="small" kind="quiet" onClick={() => onFilter({ account_id: call.account_id })}>
            Only this account
          </Button>
        )}
      </div>
    </div>
  )
}

/** What the call said, and what its code means. Admins do not see what other members' calls said. */
function Why({ call: { message }, meaning }: { call: Call; meaning: string }) {
  return (
    <div className="call-why">
      {message !== null && <p className="call-message">{message}</p>}
      {meaning !== '' && <p className={message === null ? 'call-meaning' : 'muted small'}>{meaning}</p>}
    </div>
  )
}

function CallFacts({ call }: { call: Call }) {
  const { nameOf } = usePeople()
  const { agentName } = useAgents()
  const { accounts, accountName } = useAccounts()
  const clientName = useClientName()
  const { data } = useGet<{ api_keys: Key[] }>(`${KEYS_URL}?limit=200`, { enabled: call.api_key_id !== null })
  const account = accounts?.find(({ id }) => id === call.account_id)
  const key = data?.api_keys.find(({ id }) => id === call.api_key_id)
  const facts: [string, ReactNode][] = [
    ['Time', formatDateTime(call.at)],
    ['Member', nameOf(call.user_id)],
  ]
  if (call.agent_id !== null) facts.push(['Agent', agentName(call.agent_id)])
  facts.push(['Signed in with', call.api_key_id === null ? 'Browser sign-in' : (key?.name ?? shortId(call.api_key_id))])
  if (call.client !== null) facts.push(['Client', clientName(call.client)])
  if (call.account_id !== null)
    facts.push([
      'Account',
      account === undefined ? accountName(call.account_id) : `${account.alias} (${account.identity})`,
    ])
  if (call.outcome !== 'ok') facts.push(['Code', <code key="code">{call.outcome}</code>])
  facts.push(['Call', <code key="call">{call.id}</code>])
  return <Facts facts={facts} />
}
