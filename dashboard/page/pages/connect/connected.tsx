import type { ConnectAnswer } from '../../../../schemas/connect.ts'
import { capabilityOf, useTools } from '../../lib/mcp.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'

/** What was connected, what it granted, and the tools that can be called now. */
export function Connected({ account }: { account: NonNullable<ConnectAnswer['account']> }) {
  const { id, connector, alias, identity, scope, granted_scopes, missing_scopes } = account
  const { data: tools } = useTools()
  const gained = tools?.filter(({ name }) => capabilityOf(name) === connector) ?? []
  const first = gained.find(({ annotations }) => annotations?.readOnlyHint) ?? gained[0]
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
      {granted_scopes !== null && granted_scopes.length > 0 && missing_scopes.length === 0 && (
        <p className="muted small">Granted: {granted_scopes.join(', ')}</p>
      )}
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
        {first !== undefined && (
          <ButtonLink kind="primary" icon="play" href={`/tools/${first.name}`}>
            Try “{first.title ?? first.name}”
          </ButtonLink>
        )}
        <ButtonLink href={`/connectors/${connector}`}>Its accounts and tools</ButtonLink>
      </div>
    </div>
  )
}
