import { type FormEvent, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { forgetDraft, keepDraft, readDraft } from '../../lib/draft.ts'
import { callTool, type InputSchema, type Tool, type ToolResult } from '../../lib/mcp.ts'
import { useAction } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { ArgumentFields } from './argument-fields.tsx'
import { isObject, parseJson, readArguments, type Texts, writeArguments } from './arguments.ts'
import { Explanation } from './explanation.tsx'
import { Price } from './price.tsx'
import { Result } from './result.tsx'
import { SameCall } from './same-call.tsx'

/** A form from the schema of a tool, the result of the call, and the same call elsewhere. */
export function TryTool({ tool }: { tool: Tool }) {
  const { name } = tool
  const inputSchema = withAccount(tool.inputSchema)
  const { user } = useSession()
  const draft = { userId: user.id, tool: name }
  const [search] = useSearchParams()
  const [texts, setTexts] = useState<Texts>(() => ({
    ...readDraft(draft),
    ...accountAtFirst(inputSchema, search.get('account')),
  }))
  const form = useRef<HTMLFormElement>(null)
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

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (problem !== undefined || Object.keys(problems).length > 0) return focusProblem(form.current)
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
        <form ref={form} onSubmit={submit} className="stack" noValidate>
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
              It runs for real, as you. <Price tool={name} args={args} />
            </span>
            <Button kind="primary" type="submit" icon="play" busy={call.isPending}>
              Call the tool
            </Button>
          </div>
        </form>
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

/** Moves to the first field with a problem, which may be out of sight. */
function focusProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() =>
    form?.querySelector<HTMLElement>('[aria-invalid="true"], .field[data-invalid] button')?.focus(),
  )
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
      title="Can it be called?"
      action={
        !asked && (
          <Button size="small" icon="shield-check" onClick={() => ask(true)}>
            Check
          </Button>
        )
      }
      text={asked ? undefined : 'By you, with which accounts, and why not.'}
    >
      {asked && <Explanation tool={name} />}
    </Section>
  )
}
