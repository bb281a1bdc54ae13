import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import {
  ApiKeyChangeRequest,
  ApiKeyEntry,
  ClaimRequest,
  CreatedApiKey,
  NewApiKeyRequest,
  RotateRequest,
} from '../schemas/organizations/api-key.ts'
import { PageQuery, pageOf, pageRequest } from '../schemas/primitives/page.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import type { Caller } from '../services/identity/caller.ts'
import type { Infrastructure } from '../services/infrastructure.ts'
import type { KeyClaims } from '../services/organizations/key-claims.ts'
import { type MemberKeys, toKeyEntry, toKeyUpdate, toMemberKey } from '../services/organizations/member-keys.ts'
import { type CheckPolicy, checkedPolicy } from '../services/policies/check-policy.ts'
import { defineRoutes } from './define-routes.ts'
import { oncePerKey } from './idempotency-key.ts'

interface ApiKeyRoutesOptions extends Pick<Infrastructure, 'clock'> {
  memberKeys: MemberKeys
  keyClaims: Pick<KeyClaims, 'redeem'>
  checkPolicy: CheckPolicy
  once: Idempotency['once']
}

/** Any length: an unknown ID gets 404. */
const KeyPath = Type.Object({ id: Type.String() })
type KeyPath = Static<typeof KeyPath>
const KeysQuery = Type.Object(
  { ...PageQuery, agent_id: Type.Optional(Type.String({ maxLength: 64 })) },
  { additionalProperties: false },
)
const config = { group: 'account' } as const

function addReadRoutes(app: FastifyInstance, { memberKeys, clock }: ApiKeyRoutesOptions): void {
  app.route<{ Querystring: Static<typeof KeysQuery> }>({
    method: 'GET',
    url: '/api-keys',
    config,
    schema: {
      summary: 'List the caller’s API keys and those of their agents; admins see all keys of the organization.',
      querystring: KeysQuery,
      response: { 200: pageOf('api_keys', ApiKeyEntry) },
    },
    handler: async function listKeys(request) {
      const { query } = request
      const filter = { agentId: query.agent_id }
      const { rows, nextCursor } = await memberKeys.page(callerOf(request), filter, pageRequest(query))
      return { api_keys: rows.map(key => toKeyEntry(key, clock.now())), next_cursor: nextCursor }
    },
  })
}

function addChangeRoutes(app: FastifyInstance, { memberKeys, checkPolicy, clock }: ApiKeyRoutesOptions): void {
  app.route<{ Params: KeyPath; Body: Static<typeof ApiKeyChangeRequest> }>({
    method: 'PATCH',
    url: '/api-keys/:id',
    config,
    schema: {
      summary: 'Rename an API key, or change its expiry, its monthly cap or its policy. Null removes any of the three.',
      params: KeyPath,
      body: ApiKeyChangeRequest,
      response: { 200: ApiKeyEntry },
    },
    handler: async function changeKey(request) {
      const { params, body } = request
      const caller = callerOf(request)
      const policy = await checkedPolicy(checkPolicy, caller.orgId, body.policy)
      return toKeyEntry(await memberKeys.update(caller, params.id, { ...toKeyUpdate(body), ...policy }), clock.now())
    },
  })

  app.route<{ Params: KeyPath }>({
    method: 'DELETE',
    url: '/api-keys/:id',
    config,
    schema: {
      summary: 'Revoke an API key permanently. Also returns 204 if the key is already revoked.',
      params: KeyPath,
      response: { 204: Type.Null() },
    },
    handler: async function revokeKey(request, reply) {
      await memberKeys.revoke(callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  })
}

/** The routes whose answers contain a secret. */
function addSecretRoutes(app: FastifyInstance, { memberKeys, keyClaims, once, clock }: ApiKeyRoutesOptions): void {
  async function created(caller: Caller, { id, key }: { id: string; key: string }) {
    return { body: toKeyEntry(await memberKeys.find(caller, id), clock.now()), shownOnce: { key } }
  }

  app.route<{ Body: Static<typeof NewApiKeyRequest> }>({
    method: 'POST',
    url: '/api-keys',
    config,
    schema: {
      summary: 'Create an API key for the caller or an agent. Only this response contains the secret.',
      body: NewApiKeyRequest,
      response: { 201: CreatedApiKey },
    },
    handler: oncePerKey(once, async request => {
      const caller = callerOf(request)
      return { status: 201, ...(await created(caller, await memberKeys.create(caller, toMemberKey(request.body)))) }
    }),
  })

  app.route<{ Params: KeyPath; Body: Static<typeof RotateRequest> }>({
    method: 'POST',
    url: '/api-keys/:id/rotate',
    config,
    schema: {
      summary:
        'Replace the secret of an API key, which keeps its ID, cap and spending. The old secret stays valid for overlap_seconds.',
      params: KeyPath,
      body: RotateRequest,
      response: { 200: CreatedApiKey },
    },
    handler: oncePerKey(once, async request => {
      const caller = callerOf(request)
      const overlapSeconds = request.body.overlap_seconds ?? 0
      return created(caller, await memberKeys.rotate(caller, request.params.id, { overlapSeconds }))
    }),
  })

  app.route<{ Body: Static<typeof ClaimRequest> }>({
    method: 'POST',
    url: '/api-keys/claim',
    config,
    schema: {
      summary:
        'Create the API key, or the new secret, that the caller requested with a tool. The link works once, for 10 minutes.',
      body: ClaimRequest,
      response: { 201: CreatedApiKey },
    },
    handler: oncePerKey(once, async request => {
      const caller = callerOf(request)
      return { status: 201, ...(await created(caller, await keyClaims.redeem(request.body.token, caller))) }
    }),
  })
}

export default defineRoutes<ApiKeyRoutesOptions>('api-keys', {
  organization: addReadRoutes,
  session(app, options) {
    addChangeRoutes(app, options)
    addSecretRoutes(app, options)
  },
})
