import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'wouter'
import { request } from '../../lib/api.ts'
import { forgetDraft, keepDraft, readDraft } from '../../lib/draft.ts'
import { formatMoney } from '../../lib/format.ts'
import { callTool, type InputSchema, type Tool, type ToolResult, useTools } from '../../lib/mcp.ts'
import { useAction } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Snippet } from '../../ui/copy.tsx'
import { Form, TextArea } from '../../ui/field.tsx'
import { BackLink, Card, PageHead, Section } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ArgumentFields, isObject, parseJson, readArguments, type Texts, writeArguments } from './argument-fields.tsx'
import { Explanation } from './explanation.tsx'
import { Result } from './result.tsx'
import './tool.css'

/** The page of one tool, where it can be tried. */
export default function ToolPage() {
  const { name = '' } = useParams()
  const { data, error, refetch } = useTools()
  const tool = data?.find(tool => tool.name === name)
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (data === undefined)
    return (
      <Card>
        <Skeleton />
      </Card>
    )
  if (tool === undefined) return <NotCallable name={name} />
  return (
    <div className="stack">
      <div>
        <BackLink href="/tools">Tools</BackLink>
        <PageHead title={tool.title ?? tool.name}>{tool.description}</PageHead>
        <div className="row tool-facts">
          <code>{tool.name}</code>
          <Effects tool={tool} />
        </div>
      </div>
      <TryTool key={tool.name} tool={tool} />
    </div>
  )
}

function Effects({ tool: { annotations } }: { tool: Tool }) {
  if (annotations?.readOnlyHint) return <Badge>Reads only</Badge>
  if (annotations?.destructiveHint) return <Badge tone="warn">Changes or deletes</Badge>
  return <Badge>Changes</Badge>
}

function NotCallable({ name }: { name: string }) {
  return (
    <div className="stack">
      <div>
        <BackLink href="/tools">Tools</BackLink>
        <PageHead title={name}>This tool cannot be called now.</PageHead>
      </div>
      <Explanation tool={name} />
    </div>
  )
}

/** A form from the schema of a tool, the result of the call, and the same call elsewhere. */
function TryTool({ tool }: { tool: Tool }) {
  const { name } = tool
  const inputSchema = withAccount(tool.inputSchema)
  const { user } = useSession()
  const draft = { userId: user.id, tool: name }
  const [search] = useSearchParams()
  const [texts, setTexts] = useState<Texts>(() => ({
    ...readDraft(draft),
    ...accountAtFirst(inputSchema, search.get('account')),
  }))
  const answer = useRef<HTMLDivElement>(null)
  /** The arguments as JSON; undefined while the form is used. */
  const [json, setJson] = useState<string>()
  const [tried, setTried] = useState(false)
  const call = useAction({
    async run(args: object): Promise<{ result: ToolResult; since: number; ms: number }> {
      const since = Date.now()
      const result = await callTool(name, args)
      return { result, since, ms: Date.now() - since }
    },
    changes: ['/api/usage'],
    onDone({ result }) {
      if (result.isError !== true) forgetDraft()
      showAnswer()
    },
  })
  // The button is below long forms, far from the answer.
  const showAnswer = () => requestAnimationFrame(() => answer.current?.scrollIntoView({ block: 'nearest' }))
  const { args, problem, problems } = json === undefined ? readForm(inputSchema, texts) : readJson(json)

  function switchForm() {
    if (json === undefined) return setJson(JSON.stringify(args, null, 2))
    if (problem !== undefined) return
    setTexts(writeArguments(inputSchema, args))
    setJson(undefined)
  }

  function submit() {
    setTried(true)
    if (problem !== undefined || Object.keys(problems).length > 0) return
    keepDraft(draft, json === undefined ? texts : writeArguments(inputSchema, args))
    call.mutate(args)
    showAnswer()
  }

  const empty = Object.keys(inputSchema.properties ?? {}).length === 0
  return (
    <div className="try">
      <Section
        title="Arguments"
        action={
          <Button kind="quiet" size="small" onClick={switchForm}>
            {json === undefined ? 'As JSON' : 'As form'}
          </Button>
        }
      >
        <Form onSubmit={submit}>
          {json !== undefined && (
            <TextArea label="Arguments as JSON" value={json} onChange={setJson} problem={problem} rows={12} code />
          )}
          {json === undefined && empty && <p className="muted">This tool has no arguments.</p>}
          {json === undefined && (
            <ArgumentFields
              schema={inputSchema}
              texts={texts}
              problems={tried ? problems : {}}
              onChange={(path, text) => setTexts({ ...texts, [path]: text })}
            />
          )}
          <div className="form-foot">
            <span className="muted small">
              The call is real and runs as you. <Price tool={name} args={args} />
            </span>
            <Button kind="primary" type="submit" icon="play" busy={call.isPending}>
              Call the tool
            </Button>
          </div>
        </Form>
      </Section>
      <div className="stack">
        <div ref={answer} className="answer">
          <Section title="Result">
            {call.isIdle && <p className="muted">Call the tool to see what a client gets.</p>}
            {call.isPending && <Skeleton lines={4} label="Calling" />}
            {call.error && <ErrorPanel error={call.error} />}
            {call.data && <Result tool={name} {...call.data} />}
          </Section>
        </div>
        <Check name={name} />
        <SameCall name={name} args={args} />
      </div>
    </div>
  )
}

/** The schema with the account as a required argument if there are several: without it, the call would fail. */
function withAccount(schema: InputSchema): InputSchema {
  const several = (schema.properties?.account?.enum?.length ?? 0) > 1
  return several ? { ...schema, required: [...(schema.required ?? []), 'account'] } : schema
}

/** The account of the link that led here, or the only one. */
function accountAtFirst({ properties }: InputSchema, asked: string | null): Texts {
  const accounts = properties?.account?.enum ?? []
  const account = accounts.find(name => name === asked || name === `shared:${asked}`) ?? accounts[0]
  return typeof account === 'string' && (asked !== null || accounts.length === 1) ? { account } : {}
}

interface Read {
  args: Record<string, unknown>
  /** What is wrong with the JSON as a whole. */
  problem?: string
  /** What is wrong by argument. */
  problems: Record<string, string>
}

function readForm(schema: InputSchema, texts: Texts): Read {
  return readArguments(schema, texts)
}

function readJson(text: string): Read {
  try {
    const value = parseJson(text)
    if (!isObject(value)) throw new Error('Enter a JSON object.')
    return { args: value, problems: {} }
  } catch (error) {
    return { args: {}, problem: (error as Error).message, problems: {} }
  }
}

/** Asks why the tool can be called only when the user wants it: the question is itself a call in the log. */
function Check({ name }: { name: string }) {
  const [asked, ask] = useState(false)
  return (
    <Section
      title="Can you call this tool?"
      action={
        !asked && (
          <Button size="small" icon="shield-check" onClick={() => ask(true)}>
            Check
          </Button>
        )
      }
      text={asked ? undefined : 'Whether you can call it now, with which accounts, and if not, why.'}
    >
      {asked && <Explanation tool={name} />}
    </Section>
  )
}

interface Quote {
  metered: boolean
  hold_micros: number | null
}

const QUOTES_URL = '/api/tool-quotes'
/** How long the arguments stay the same before their price is asked for. */
const PAUSE_MS = 400

/** What the next call will cost. */
function Price({ tool, args }: { tool: string; args: object }) {
  const text = JSON.stringify(args)
  const [asked, ask] = useState(text)
  const { data } = useQuery({
    queryKey: [QUOTES_URL, tool, asked],
    queryFn: ({ signal }) =>
      request<Quote>('POST', QUOTES_URL, { body: { name: tool, arguments: JSON.parse(asked) }, signal }),
    placeholderData: keepPreviousData,
  })
  const free = data?.metered === false
  useEffect(() => {
    if (free) return
    const timer = setTimeout(() => ask(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [free, text])
  return data === undefined ? null : <span aria-live="polite">{priceOf(data)}</span>
}

function priceOf({ metered, hold_micros }: Quote): string {
  if (!metered) return 'The call is free.'
  if (hold_micros === null) return 'The call costs money. Complete the arguments to see how much.'
  if (hold_micros === 0) return 'The call is free with these arguments.'
  return `The call holds ${formatMoney(hold_micros)} until its cost is known.`
}

/** The same call for a shell, and as the message of an MCP client. */
function SameCall({ name, args }: { name: string; args: object }) {
  const { gateway_url } = useSession()
  const [tab, setTab] = useState('curl')
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const curl = [
    `curl ${gateway_url}`,
    `-H "Authorization: Bearer $CGW_KEY"`,
    `-H 'content-type: application/json'`,
    `-H 'accept: application/json, text/event-stream'`,
    `-d '${JSON.stringify(message).replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ')
  const sdk = `// Any client of the MCP SDK that is connected to ${gateway_url}\nconst result = await client.callTool(${JSON.stringify(message.params, null, 2)})`
  return (
    <Section title="The same call elsewhere">
      <Tabs
        label="Form of the call"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'curl', label: 'curl', content: <Snippet text={curl} /> },
          { value: 'sdk', label: 'MCP client', content: <Snippet text={sdk} /> },
          { value: 'mcp', label: 'JSON-RPC message', content: <Snippet text={JSON.stringify(message, null, 2)} /> },
        ]}
      />
    </Section>
  )
}
