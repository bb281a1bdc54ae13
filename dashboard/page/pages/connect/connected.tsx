import type { AccountGrant, ConnectAnswer } from '../../../../schemas/connectors/connect.ts'
import type { ConnectorAuthEntry } from '../../../../schemas/connectors/connector.ts'
import { runAgain } from '../../lib/connect-flow.ts'
import { isRemote, useAccounts } from '../../lib/connectors.ts'
import { capabilityOf, type Tool, useTools } from '../../lib/mcp.ts'
import { toolPath } from '../../lib/outcomes.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/states.tsx'

type Account = NonNullable<ConnectAnswer['account']>

/** What was connected, what it granted, and the tools that can be called now. */
export function Connected({ account }: { account: Account }) {
  const { id, connector, alias, identity, scope, key_verified, missing_scopes } = account
  const { data: tools } = useTools()
  const again = runAgain()
  const gained = tools?.filter(({ name }) => capabilityOf(name) === connector) ?? []
  const named = alias === identity ? '' : `The alias of the account is ${alias}. `
  const whoCan = named + (scope === 'shared' ? 'All members can use the account.' : 'Only you can use the account.')
  const first = gained.toSorted((a, b) => effortOf(a) - effortOf(b))[0]
  return (
    <div className="stack">
      {key_verified === false ? (
        <Notice kind="warn" title="Stored, not checked.">
          The provider offers no way to check a key. The first call shows whether the key works. {whoCan}
        </Notice>
      ) : (
        <Notice kind="good" title={`Connected as ${identity}.`}>
          {whoCan}
        </Notice>
      )}
      {missing_scopes.length > 0 && (
        <Notice kind="warn" title="The provider did not grant everything.">
          Tools that need {missing_scopes.join(', ')} fail.
          <div className="notice-action">
            <ButtonLink size="small" href={`/accounts/${id}/reauthorize`}>
              Grant the rest
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
        <ButtonLink href={`/connectors/${connector}`}>Accounts and tools</ButtonLink>
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

/** What a provider granted to an account and what it did not, in plain words. */
export function GrantedScopes({ auth, granted_scopes, missing }: { auth: ConnectorAuthEntry } & Grant) {
  const { scope_descriptions, optional_scope_descriptions, user_scope_descriptions } = auth
  const words = { ...user_scope_descriptions, ...optional_scope_descriptions, ...scope_descriptions }
  const rows = [
    ...missing.map(({ scope, tools }) => ({ scope, granted: false, tools })),
    ...(granted_scopes ?? []).map(scope => ({ scope, granted: true, tools: [] })),
  ]
  if (rows.length === 0) return null
  return (
    <div className="field">
      <span className="field-label">What the account grants</span>
      <ul className="scope-list">
        {rows.map(({ scope, granted, tools }) => (
          <li key={scope} {...(!granted && { className: 'scope-missing' })}>
            <Icon name={granted ? 'check' : 'x'} />
            <span>
              {!granted && 'Not granted: '}
              {words[scope] ?? scope}
              {words[scope] !== undefined && <code className="scope-code">{scope}</code>}
              {tools.length > 0 && <span className="scope-tools">{failing(tools)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Grant = Omit<AccountGrant, 'account_id'>

function failing(tools: readonly string[]): string {
  const more = tools.length > 5 ? ` and ${tools.length - 5} more` : ''
  return `Without this permission, ${tools.length === 1 ? 'a tool fails' : 'tools fail'}: ${tools.slice(0, 5).join(', ')}${more}.`
}
