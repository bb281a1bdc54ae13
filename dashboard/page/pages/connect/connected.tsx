import type { ConnectAnswer } from '../../../../schemas/connect.ts'
import { runAgain } from '../../lib/connect-flow.ts'
import { isRemote, useAccounts } from '../../lib/connectors.ts'
import { capabilityOf, type Tool, useTools } from '../../lib/mcp.ts'
import { toolPath } from '../../lib/outcomes.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { GrantedScopes } from './scopes.tsx'

type Account = NonNullable<ConnectAnswer['account']>

/** What was connected, what it granted, and the tools that can be called now. */
export function Connected({ account }: { account: Account }) {
  const { id, connector, alias, identity, scope, missing_scopes } = account
  const { data: tools } = useTools()
  const again = runAgain()
  const gained = tools?.filter(({ name }) => capabilityOf(name) === connector) ?? []
  const first = gained.toSorted((a, b) => effortOf(a) - effortOf(b))[0]
  return (
    <div className="stack">
      <Notice kind="good" title={`Connected as ${identity}.`}>
        {alias !== identity && `Its alias is ${alias}. `}
        {scope === 'shared' ? 'All members can use it.' : 'Only you can use it.'}
      </Notice>
      {missing_scopes.length > 0 && (
        <Notice kind="warn" title="The provider did not grant everything.">
          Tools that need {missing_scopes.join(', ')} fail.
          <div className="notice-action">
            <ButtonLink size="small" href={`/accounts/${id}/reauthorize`}>
              Grant it
            </ButtonLink>
          </div>
        </Notice>
      )}
      <Granted account={account} />
      {gained.length > 0 && (
        <div className="field">
          <span className="field-label">
            {gained.length === 1 ? 'One tool' : `${gained.length} tools`} can be called now
          </span>
          <p className="muted">
            {gained
              .slice(0, 8)
              .map(({ title, name }) => title ?? name)
              .join(', ')}
            {gained.length > 8 && ` and ${gained.length - 8} more`}.
          </p>
        </div>
      )}
      <div className="row">
        {again !== undefined ? (
          <ButtonLink kind="primary" icon="play" href={toolPath(again.tool, again.account)}>
            Run {again.tool} again
          </ButtonLink>
        ) : (
          first !== undefined && (
            <ButtonLink kind="primary" icon="play" href={toolPath(first.name, alias)}>
              Try “{first.title ?? first.name}”
            </ButtonLink>
          )
        )}
        <ButtonLink href={`/connectors/${connector}`}>Its accounts and tools</ButtonLink>
        <ButtonLink href="/" kind="quiet">
          Start page
        </ButtonLink>
      </div>
    </div>
  )
}

/** How much a first try asks of the user: tools that only read and need few arguments come first. */
function effortOf({ annotations, inputSchema: { required = [] } }: Tool): number {
  return (annotations?.readOnlyHint ? 0 : 100) + required.filter(name => name !== 'account').length
}

function Granted({ account: { connector, granted_scopes, missing_scopes } }: { account: Account }) {
  const { query } = useAccounts()
  const entry = query.data?.connectors.find(({ id }) => id === connector)
  if (granted_scopes === null || entry === undefined || isRemote(entry)) return null
  const missing = missing_scopes.map(scope => ({ scope, tools: [] }))
  return <GrantedScopes auth={entry.auth} granted_scopes={granted_scopes} missing={missing} />
}
