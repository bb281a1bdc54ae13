import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { callTool } from '../../lib/mcp.ts'
import { connectorPath } from '../../lib/outcomes.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import './tool.css'

/** The structured content of `manage__explain_tool`. */
interface Explained {
  name: string
  callable: boolean
  reason?: string
  explanation: string
  accounts?: {
    id: string
    account: string
    identity: string
    status: string
    callable: boolean
    missing_scopes?: string[]
  }[]
}

interface ExplanationProps {
  tool: string
  /** Only about this account. */
  account?: string | undefined
}

/** Whether the user can call a tool now, as whom, and why not. The question is itself a call in the log. */
export function Explanation({ tool, account }: ExplanationProps) {
  const { data, error, refetch } = useExplanation(tool, account)
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (data === undefined) return <Skeleton lines={2} label="Checking" />
  return <Answer explained={data} />
}

/** The gateway's explanation of a tool. */
function useExplanation(tool: string, account: string | undefined) {
  return useQuery({
    queryKey: ['/api/mcp', 'explain', tool, account ?? null],
    staleTime: 60_000,
    async queryFn() {
      const { structuredContent, content } = await callTool('manage__explain_tool', {
        name: tool,
        ...(account !== undefined && { account }),
      })
      if (structuredContent === undefined) throw new Error(content[0]?.text ?? 'The gateway has no explanation.')
      return structuredContent as Explained
    },
  })
}

function Answer({ explained }: { explained: Explained }) {
  const { callable, explanation, accounts } = explained
  return (
    <Notice
      kind={callable ? 'good' : 'warn'}
      title={callable ? 'You can call this tool.' : 'You cannot call this tool.'}
    >
      <p className="explanation">{explanation}</p>
      {accounts !== undefined && accounts.length > 0 && (
        <ul className="explained-accounts">
          {accounts.map(({ id, account, identity, status, callable, missing_scopes }) => (
            <li key={id} className="row">
              <span>
                {account} <span className="muted">{identity}</span>
              </span>
              {callable ? (
                <Badge tone="good">Works</Badge>
              ) : (
                <>
                  <Badge tone="warn">
                    {status === 'needs_reauth' ? 'Needs reauthorization' : 'Permission missing'}
                  </Badge>
                  <Link href={`/accounts/${id}/reauthorize${scopesOf(missing_scopes)}`}>Reauthorize</Link>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <Fix explained={explained} />
    </Notice>
  )
}

function scopesOf(scopes: readonly string[] | undefined): string {
  return scopes === undefined ? '' : `?${new URLSearchParams(scopes.map(scope => ['scope', scope]))}`
}

/** The page that removes the reason. */
function Fix({ explained: { name, reason } }: { explained: Explained }) {
  const { may } = useSession()
  switch (reason) {
    case 'no_account':
    case 'account_not_found':
    case 'hidden':
    case 'authorization_pending':
    case 'no_snapshot':
      return <Link href={connectorPath(name)}>Open the connector</Link>
    case 'disabled':
      return <Link href="/tools">Open the tools</Link>
    case 'payment_required':
      return may.manage_money ? <Link href="/billing">Top up</Link> : null
    case 'key_spend_limit_exceeded':
      return <Link href="/keys">Raise the cap</Link>
    default:
      return null
  }
}
