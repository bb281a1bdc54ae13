import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { GatewayError } from '../lib/errors/errors.ts'
import type { Page } from '../lib/pages/pages.ts'
import { readLines } from '../lib/pages/pages.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { orNull } from '../schemas/primitives/or-null.ts'
import { PageQuery, type PageRequest, pageOf, pageRequest } from '../schemas/primitives/page.ts'
import { StringEnum } from '../schemas/primitives/string-enum.ts'
import { Timestamp } from '../schemas/primitives/time.ts'
import type { AuditLog, AuditRow } from '../services/audit/audit-log.ts'
import type { Call, Calls } from '../services/usage/calls.ts'
import { USAGE_BY } from '../services/usage/usage-groups.ts'
import { UsageEntry, type UsageSummaries, usageEntry } from '../services/usage/usage-summary.ts'
import { defineRoutes } from './define-routes.ts'

interface UsageRoutesOptions {
  calls: Calls
  auditLog: AuditLog
  usageSummaries: Pick<UsageSummaries, 'summarizeFor'>
}

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
const Range = {
  from: text('The first day in UTC: 2026-11-01.'),
  to: text('The last day in UTC.'),
  user_id: text('Only rows of this member. Members see only their own rows.'),
  format: Type.Optional(StringEnum(['json', 'jsonl'], { description: 'jsonl: all rows, one per line.' })),
  ...PageQuery,
}
const closed = { additionalProperties: false }

const UsageQuery = Type.Object(
  {
    ...Range,
    by: Type.Optional(StringEnum(USAGE_BY, { description: 'Return sums by group instead of calls.' })),
    tool: text('Only calls of this tool.'),
    connector: text('Only calls of this connector, family or org__<slug>.'),
    api_key_id: text('Only calls with this API key.'),
    agent_id: text('Only calls of this agent.'),
    account_id: text('Only calls with this account.'),
    outcome: text('Only calls with this outcome: ok, error, a code, or failed for all but ok.'),
  },
  closed,
)
const AuditQuery = Type.Object(
  {
    ...Range,
    action: text('An action, such as key.create, or a kind of action, such as key.'),
    target: text('The ID of what changed.'),
  },
  closed,
)

const CallEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  user_id: Type.String(),
  api_key_id: orNull(Type.String()),
  agent_id: orNull(Type.String()),
  client: orNull(Type.String({ description: 'What the client calls itself, or its OAuth client ID.' })),
  tool: Type.String(),
  account_id: orNull(Type.String()),
  outcome: Type.String(),
  duration_ms: Type.Integer(),
  cost_micros: Type.Integer(),
  message: orNull(
    Type.String({
      description: 'The message of a failed call, without its arguments. Only for the member of the call.',
    }),
  ),
  mended: Type.Boolean({
    description: 'Whether the gateway mended arguments, such as a number that was sent as a string.',
  }),
})
const AuditEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  user_id: orNull(Type.String()),
  action: Type.String(),
  target: Type.String(),
  detail: Type.Unknown(),
})

function usageRoutes(app: FastifyInstance, options: UsageRoutesOptions): void {
  addUsageRoute(app, options)
  addAuditRoute(app, options)
}

function addUsageRoute(app: FastifyInstance, { calls, usageSummaries }: UsageRoutesOptions): void {
  app.route<{ Querystring: Static<typeof UsageQuery> }>({
    method: 'GET',
    url: '/usage',
    config: { group: 'account' },
    schema: {
      summary: 'List tool calls, newest first, or sum them up by group. Members see their own calls, admins all calls.',
      querystring: UsageQuery,
      response: { 200: Type.Union([UsageEntry, pageOf('calls', CallEntry)]) },
    },
    handler: async function listUsage(request, reply) {
      const caller = callerOf(request)
      const { by, user_id, api_key_id, agent_id, account_id, ...query } = request.query
      if (by !== undefined) {
        rejectFilters(request.query)
        const { from, to } = query
        return usageEntry(await usageSummaries.summarizeFor(caller, { by, from, to, member: user_id }))
      }
      const filter = { ...query, userId: user_id, keyId: api_key_id, agentId: agent_id, accountId: account_id }
      return answer(reply, request.query, {
        name: 'calls',
        read: page => calls.page(caller, filter, page),
        toEntry: callEntry,
      })
    },
  })
}

/** The parameters that a summary has. */
const OF_SUMMARY = new Set(['by', 'from', 'to', 'user_id'])

/** Rejects a filter that a summary lacks: its sums would look as if they were filtered. */
function rejectFilters(query: Static<typeof UsageQuery>): void {
  const other = Object.keys(query).find(
    name => !OF_SUMMARY.has(name) && !(name === 'format' && query.format === 'json'),
  )
  if (other !== undefined)
    throw new GatewayError(
      'invalid_request',
      `\`${other}\` cannot be combined with \`by\`, which takes only from, to and user_id. Omit one of the two.`,
    )
}

function addAuditRoute(app: FastifyInstance, { auditLog }: UsageRoutesOptions): void {
  app.route<{ Querystring: Static<typeof AuditQuery> }>({
    method: 'GET',
    url: '/audit',
    config: { group: 'account' },
    schema: {
      summary: 'List changes, newest first. Members see their own changes, admins all changes.',
      querystring: AuditQuery,
      response: { 200: pageOf('changes', AuditEntry) },
    },
    handler: async function listAudit(request, reply) {
      const caller = callerOf(request)
      const { user_id: userId, ...query } = request.query
      const read = (page: PageRequest) => auditLog.page(caller, { ...query, userId }, page)
      return answer(reply, request.query, { name: 'changes', read, toEntry: auditEntry })
    },
  })
}

interface List<Row> {
  name: string
  read(page: PageRequest): Promise<Page<Row>>
  toEntry(row: Row): object
}

/** Answers one page as JSON, or all rows from the cursor on as JSON Lines. */
async function answer<Row>(
  reply: FastifyReply,
  query: { limit?: string; cursor?: string; format?: string },
  { name, read, toEntry }: List<Row>,
) {
  if (query.format === 'jsonl') {
    // Before the first byte of the answer, because an error after it could only end the connection.
    await read({ limit: 1, cursor: query.cursor })
    reply.type('application/jsonl; charset=utf-8').header('content-disposition', `attachment; filename="${name}.jsonl"`)
    return reply.send(readLines(read, toEntry, { cursor: query.cursor }))
  }
  const { rows, nextCursor } = await read(pageRequest(query))
  return { [name]: rows.map(toEntry), next_cursor: nextCursor }
}

function callEntry(call: Call): Static<typeof CallEntry> {
  return {
    id: call.id,
    at: call.at.toISOString(),
    user_id: call.userId,
    api_key_id: call.keyId,
    agent_id: call.agentId,
    client: call.client,
    tool: call.tool,
    account_id: call.accountId,
    outcome: call.outcome,
    duration_ms: call.durationMs,
    cost_micros: call.costMicros,
    message: call.message,
    mended: call.mended,
  }
}

function auditEntry({ id, at, userId, action, target, detail }: AuditRow): Static<typeof AuditEntry> {
  return { id, at: at.toISOString(), user_id: userId, action, target, detail }
}

export default defineRoutes<UsageRoutesOptions>('usage', { organization: usageRoutes })
