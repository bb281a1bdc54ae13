import type { AccountGrant } from '../../../../schemas/connect.ts'
import type { ConnectorAuthEntry } from '../../../../schemas/connector.ts'
import { Check } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'

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
      <span className="field-label">What it grants</span>
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
  return `Without it, ${tools.length === 1 ? 'a tool fails' : 'tools fail'}: ${tools.slice(0, 5).join(', ')}${more}.`
}

interface ScopesProps {
  auth: ConnectorAuthEntry
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** What the account will allow, in plain words: what the tools need, and what can be added. */
export function Scopes({ auth, chosen, onChange }: ScopesProps) {
  const { scopes, scope_descriptions, optional_scopes = [], optional_scope_descriptions, access_summary } = auth
  if (scopes.length === 0 && optional_scopes.length === 0)
    return access_summary === undefined ? null : (
      <div className="field">
        <span className="field-label">What the account allows</span>
        <p>{access_summary}</p>
      </div>
    )
  return (
    <>
      {scopes.length > 0 && (
        <div className="field">
          <span className="field-label">What the tools need</span>
          <ul className="scope-list">
            {scopes.map(scope => (
              <li key={scope}>
                <Icon name="check" />
                <span>
                  {scope_descriptions?.[scope] ?? scope}
                  {scope_descriptions?.[scope] !== undefined && <code className="scope-code">{scope}</code>}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {optional_scopes.length > 0 && (
        <div className="field">
          <span className="field-label">What you can add</span>
          <div className="scope-list">
            {optional_scopes.map(scope => (
              <Check
                key={scope}
                label={optional_scope_descriptions?.[scope] ?? scope}
                hint={<code>{scope}</code>}
                checked={chosen.includes(scope)}
                onChange={on => onChange(on ? [...chosen, scope] : chosen.filter(other => other !== scope))}
              />
            ))}
          </div>
        </div>
      )}
    </>
  )
}
