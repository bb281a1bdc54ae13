import type { ConnectorAuthEntry } from '../../../../schemas/connector.ts'
import { Check } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'

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
