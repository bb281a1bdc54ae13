import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../lib/api.ts'
import { CALLS_URL, type Call } from '../../lib/calls.ts'
import { formatDuration, formatMoney } from '../../lib/format.ts'
import type { ToolResult } from '../../lib/mcp.ts'
import { remedyIn, useRemedy } from '../../lib/outcomes.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Facts } from '../../ui/layout.tsx'
import { Notice } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'

interface ResultProps {
  tool: string
  result: ToolResult
  since: number
  ms: number
}

/** What a call returned, with its time, its cost and its account. */
export function Result({ tool, result, since, ms }: ResultProps) {
  const call = useCall(tool, since)
  const account = result._meta?.['connector-gateway/account']
  const text = textOf(result)
  return (
    <>
      <Facts
        facts={[
          ['Time', formatDuration(call?.duration_ms ?? ms)],
          ...(call ? [['Cost', formatMoney(call.cost_micros)] as const] : []),
          ...(account ? [['Account', account.alias] as const] : []),
          [
            'Log',
            <Link key="log" href={`/calls?tool=${tool}`}>
              Calls of this tool
            </Link>,
          ],
        ]}
      />
      {result.isError ? (
        <Failure tool={tool} text={text} accountId={account?.id ?? call?.account_id ?? null} />
      ) : (
        <Content result={result} />
      )}
    </>
  )
}

/** The parts of a result as text: nothing of it becomes markup, an image or a link. */
function Content({ result }: { result: ToolResult }) {
  const [tab, setTab] = useState('result')
  const structured = result.structuredContent !== undefined
  const views = [
    ...(structured ? [{ value: 'result', label: 'Structured', text: json(result.structuredContent) }] : []),
    { value: structured ? 'text' : 'result', label: 'Text', text: textOf(result) },
    { value: 'whole', label: 'Whole answer', text: json(result) },
  ]
  return (
    <Tabs
      label="Views of the result"
      value={tab}
      onChange={setTab}
      tabs={views.map(({ value, label, text }) => ({ value, label, content: <ResultText text={text} /> }))}
    />
  )
}

function ResultText({ text }: { text: string }) {
  return (
    <div className="result-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="result" tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} label="Copy the result" />
    </div>
  )
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** The row of a call in the log, which is written a moment after the call. */
function useCall(tool: string, since: number): Call | undefined {
  const url = `${CALLS_URL}?limit=1&tool=${encodeURIComponent(tool)}`
  const { data } = useQuery({
    queryKey: [url, since],
    queryFn: () => request<{ calls: Call[] }>('GET', url),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      isOf(data?.calls[0], since) || dataUpdateCount > 8 ? false : 1_000,
  })
  const call = data?.calls[0]
  return isOf(call, since) ? call : undefined
}

function isOf(call: Call | undefined, since: number): call is Call {
  // The clocks of the browser and the server may differ.
  return call !== undefined && new Date(call.at).getTime() > since - 3_000
}

function textOf({ content }: ToolResult): string {
  return content.map(part => part.text ?? `[${part.type}] ${part.name ?? part.uri ?? part.mimeType ?? ''}`).join('\n\n')
}

/** The error of a tool: the gateway's envelope as JSON, or the provider's own text. */
function Failure({ tool, text, accountId }: { tool: string; text: string; accountId: string | null }) {
  const { message, code = '', ...links } = readEnvelope(text)
  const known = useRemedy()({ outcome: code, tool, account_id: accountId })
  // The page that the error names is the most exact one.
  const remedy = remedyIn([links.reauthorize_url, links.top_up_url, message].join(' ')) ?? known
  return (
    <Notice kind="bad" title="The call failed.">
      {message}
      {remedy !== undefined && (
        <div className="notice-action">
          <ButtonLink size="small" href={remedy.href}>
            {remedy.label}
          </ButtonLink>
        </div>
      )}
    </Notice>
  )
}

interface Envelope {
  message: string
  code?: string
  reauthorize_url?: string
  top_up_url?: string
}

/** The members that are texts: a provider can send anything in this form. */
function readEnvelope(text: string): Envelope {
  try {
    const { error } = JSON.parse(text) as { error?: Record<string, unknown> }
    const texts = Object.entries(error ?? {}).filter(([, value]) => typeof value === 'string')
    const envelope = Object.fromEntries(texts) as Partial<Envelope>
    if (envelope.message !== undefined) return { ...envelope, message: envelope.message }
  } catch {
    // The text of a provider.
  }
  return { message: text }
}
