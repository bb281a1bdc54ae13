import { createSecretKey, hash, randomBytes } from 'node:crypto'
import { createVault } from '../lib/vault/vault.ts'
import type { RpcMessage } from '../schemas/mcp.ts'
import type { AnyTool } from '../services/definitions/define-tool.ts'
import type { Caller } from '../services/identity/caller.ts'
import type { Answer, ToolResult } from '../services/mcp/contract.ts'
import { dispatch } from '../services/mcp/dispatch.ts'
import type { Headers } from '../services/mcp/headers.ts'
import { createListCache } from '../services/mcp/list-bytes.ts'
import { createToolList, encodeList } from '../services/mcp/tool-list.ts'
import { createRemoteTools } from '../services/remote-connectors/calls/remote-tools.ts'
import type { RemoteConnector } from '../services/remote-connectors/remote-connectors.ts'
import type { PinnedTool } from '../services/remote-connectors/snapshot.ts'
import { createPinnedValidators } from '../services/remote-connectors/snapshots/pinned-validators.ts'
import type { RemoteCaller, Subject } from '../services/remote-connectors/upstream/remote-caller.ts'
import type { ExchangeOptions, UpstreamCall } from '../services/remote-connectors/upstream/upstream.ts'
import { createCallTool, type ToolOutcome } from '../services/tool-calls/call.ts'
import { type CallerToolsOptions, callerTools } from '../services/tool-calls/caller-tools.ts'
import { createOrganizationTools } from '../services/tool-calls/organization-tools.ts'
import { createRegistry } from '../services/tool-calls/registry.ts'
import { createSurfaces } from '../services/tool-calls/surfaces.ts'
import { silent } from './database.ts'
import { keyHolder, testClock } from './fixture.ts'
import { madeRemote, madeSnapshot } from './made-remote.ts'
import { instructions, modern, request, serverInfo } from './mcp-fixture.ts'
import { keptNowhere, noMetering } from './no-metering.ts'
import { commands } from './operator-commands.ts'

/** A call that reached an upstream. */
interface Reached {
  subject: Subject
  call: UpstreamCall
  options: ExchangeOptions
}

/** A pinned tool, by default one that accepts any arguments. */
export function pinned(name: string, fields: Partial<PinnedTool> = {}): PinnedTool {
  const digest = hash('sha256', JSON.stringify([name, fields]))
  return { name, originalName: name, inputSchema: { type: 'object' }, hash: digest, ...fields }
}

/** A registration of mode `none` with these tools, or without a snapshot. */
export function remoteWith(
  orgId: string,
  tools: readonly PinnedTool[] | undefined,
  fields: Partial<RemoteConnector['registration']> = {},
): RemoteConnector {
  const remote = madeRemote({ orgId, id: `rem_${orgId}`, snapshotId: 'snp_1', ...fields })
  return { ...remote, snapshot: tools && { ...madeSnapshot, tools } }
}

/** Members of `org_1` and of `org_2`. */
export const ada: Caller = { orgId: 'org_1', userId: 'usr_ada', role: 'member' }
export const bob: Caller = { orgId: 'org_1', userId: 'usr_bob', role: 'member' }
export const eve: Caller = { orgId: 'org_2', userId: 'usr_eve', role: 'member' }

type Json = Record<string, unknown>

/**
 * Answers messages with the real surfaces and calls, and with simulated upstreams. A test may change the registrations in
 * `remotes`, and then calls `changed`.
 */
export function remoteToolFixture({ builtIn = [] as AnyTool[] } = {}) {
  const clock = testClock()
  const remotes: RemoteConnector[] = []
  const reached: Reached[] = []
  const finished: ToolOutcome[] = []
  const failed: unknown[] = []
  const thrown: unknown[] = []
  const disabled = new Map<string, string[]>()
  let version = 1
  let answer: (reached: Reached) => ToolResult | Promise<ToolResult> = () => ({
    content: [{ type: 'text', text: 'ok' }],
  })

  const remoteCaller: Pick<RemoteCaller, 'callTool'> = {
    async callTool(subject, call, options) {
      const one = { subject, call, options }
      reached.push(one)
      return answer(one)
    },
  }
  const list = async (orgId: string) => remotes.filter(({ registration }) => registration.orgId === orgId)
  const vault = createVault([{ id: 'one', key: createSecretKey(randomBytes(32)) }])
  const validators = createPinnedValidators()
  const remoteTools = createRemoteTools({
    commands,
    remotes: { list },
    remoteCaller,
    validators,
    vault,
    clock,
    log: silent,
  })
  const registry = createRegistry(builtIn)
  const organizationTools = createOrganizationTools({ registry, remoteTools })
  const surfaces = createSurfaces({
    registry,
    toolsAt: organizationTools.at,
    versions: { fresh: () => version, current: async () => version, recheck() {} },
    disabledFor: async (orgId, userId) => new Set([...(disabled.get(orgId) ?? []), ...(disabled.get(userId) ?? [])]),
    accountsOf: async () => [],
    createList: (entries, content) => createToolList(entries, { serverInfo, lists: createListCache(), content }),
  })
  const callTool = createCallTool({
    metering: noMetering,
    async once(_call, run) {
      try {
        return await run(keptNowhere)
      } catch (error) {
        thrown.push(error)
        throw error
      }
    },
    finished: outcome => void finished.push(outcome),
    failed: error => void failed.push(error),
  })

  async function send(
    caller: Caller,
    headers: Headers,
    message: RpcMessage,
    {
      onDisconnect = () => {},
      argumentsFault = null,
    }: Partial<Pick<CallerToolsOptions, 'onDisconnect' | 'argumentsFault'>> = {},
  ): Promise<Json> {
    const identity = keyHolder({ orgId: caller.orgId, userId: caller.userId, role: caller.role })
    const tools = callerTools({
      identity,
      caller,
      origin: 'http://localhost',
      argumentsFault,
      surfaces,
      callTool,
      onDisconnect,
      onCall() {},
    })
    const { body }: Answer = await dispatch(headers, message, { serverInfo, instructions, tools })
    if (body === undefined) throw new TypeError('A request is answered with a body')
    const text =
      typeof body === 'string' ? body : Buffer.concat([...(await encodeList(body, undefined)).pieces]).toString()
    return JSON.parse(text)
  }

  /** Calls a tool as a legacy client. */
  async function call(caller: Caller, name: string, args: object = {}, meta: object = {}): Promise<Json> {
    const { result } = await send(caller, {}, request('tools/call', { name, arguments: args, _meta: meta }))
    return result as Json
  }

  /** Calls a tool as a client of 2026-07-28, with these capabilities and other parameters. */
  async function callModern(
    caller: Caller,
    name: string,
    {
      args = {},
      capabilities = {},
      ...params
    }: { args?: object; capabilities?: object; [param: string]: unknown } = {},
  ): Promise<Json> {
    const { headers, message } = modern(
      'tools/call',
      { name, arguments: args, ...params },
      { 'io.modelcontextprotocol/clientCapabilities': capabilities },
    )
    const { result, error } = await send(caller, headers, message)
    return (result ?? { error }) as Json
  }

  async function listed(caller: Caller): Promise<Json[]> {
    const { result } = await send(caller, {}, request('tools/list', {}))
    return (result as { tools: Json[] }).tools
  }

  return {
    clock,
    vault,
    remotes,
    reached,
    finished,
    failed,
    thrown,
    disabled,
    remoteTools,
    organizationTools,
    surfaces,
    send,
    call,
    callModern,
    changed() {
      version++
    },
    /** Sets the answer of the upstreams. */
    answers(next: typeof answer) {
      answer = next
    },
    listed,
    names: async (caller: Caller) => (await listed(caller)).map(({ name }) => name),
  }
}

/** The error in the text of a tool's result. */
export function errorIn(result: Json): { code?: string; message?: string; [detail: string]: unknown } {
  const [block] = result.content as { text: string }[]
  if (result.isError !== true || block === undefined) throw new TypeError(`No tool error: ${JSON.stringify(result)}`)
  const { error, ...details } = JSON.parse(block.text)
  return { ...error, ...details }
}
