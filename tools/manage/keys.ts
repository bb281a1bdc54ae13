import { Type } from '@sinclair/typebox'
import { ApiKeyChange, ApiKeyEntry, NewApiKey, OverlapSeconds } from '../../schemas/organizations/api-key.ts'
import { orNull } from '../../schemas/primitives/or-null.ts'
import { NextCursor } from '../../schemas/primitives/page.ts'
import { type Clock, Timestamp } from '../../schemas/primitives/time.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { askOperator } from '../../services/operator/operator-commands.ts'
import type { KeyClaims, PendingKey } from '../../services/organizations/key-claims.ts'
import { type MemberKeys, toKeyEntry, toKeyUpdate, toMemberKey } from '../../services/organizations/member-keys.ts'
import { type CheckPolicy, checkedPolicy } from '../../services/policies/check-policy.ts'

interface KeyToolsOptions {
  memberKeys: MemberKeys
  keyClaims: Pick<KeyClaims, 'request'>
  checkPolicy: CheckPolicy
  clock: Clock
}

const SIGN_IN = 'Requires a user sign-in; API keys are rejected.'
const KeyId = Type.String({ maxLength: 64, description: 'The ID of the key, from manage__keys_list.' })
const closed = { additionalProperties: false }

/** The `manage__keys_*` tools. None of their results contains a secret: a model reads them, and clients log them. */
export function keyTools(options: KeyToolsOptions): AnyTool[] {
  return [listKeys(options), createKey(options), rotateKey(options), updateKey(options), revokeKey(options)]
}

function listKeys({ memberKeys, clock }: KeyToolsOptions): AnyTool {
  return defineTool({
    name: 'manage__keys_list',
    title: 'List API keys',
    description: `List your API keys and those of your agents, newest first. Owners and admins see all keys of the organization. ${SIGN_IN}`,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object(
      {
        agent_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only keys of the agent with this ID.' })),
        cursor: Type.Optional(Type.String({ maxLength: 512, description: 'The next_cursor of the previous page.' })),
      },
      closed,
    ),
    output: Type.Object({ api_keys: Type.Array(ApiKeyEntry), next_cursor: NextCursor }),

    async run({ agent_id, cursor }, { caller }) {
      const { rows, nextCursor } = await memberKeys.page(caller, { agentId: agent_id }, { limit: 50, cursor })
      return structured({ api_keys: rows.map(key => toKeyEntry(key, clock.now())), next_cursor: nextCursor })
    },
  })
}

/** How the user gets the secret. */
const Pending = Type.Object({
  link: orNull(Type.String()),
  operator_command: Type.String(),
  expires_at: Timestamp,
})

function pending({ link, command, expiresAt }: PendingKey, what: string) {
  const how =
    link === null
      ? `. ${askOperator(command)}`
      : `: open ${link} and sign in. If that is not possible: ${askOperator(command)}`
  const text = `Nothing has changed yet. The user has 10 minutes to ${what}${how}`
  return structured({ link, operator_command: command, expires_at: expiresAt.toISOString() }, text)
}

function createKey({ keyClaims }: KeyToolsOptions): AnyTool {
  return defineTool({
    name: 'manage__keys_create',
    title: 'Create an API key',
    description:
      'Prepare an API key for yourself or one of your agents. Returns a one-time link for the user, never the ' +
      `secret: the key is created when the user opens the link within 10 minutes. ${SIGN_IN}`,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    gate: 'session',
    input: Type.Object(NewApiKey, closed),
    output: Pending,
    run: async (key, { caller }) =>
      pending(await keyClaims.request(caller, { create: toMemberKey(key) }), 'create the key and see its secret'),
  })
}

function rotateKey({ keyClaims }: KeyToolsOptions): AnyTool {
  return defineTool({
    name: 'manage__keys_rotate',
    title: 'Rotate an API key',
    description:
      'Prepare a new secret for an API key, which keeps its ID, cap and spending. Returns a one-time link for the ' +
      `user, never the secret: the old secret is replaced when the user opens the link within 10 minutes. ${SIGN_IN}`,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    gate: 'session',
    input: Type.Object({ id: KeyId, overlap_seconds: Type.Optional(OverlapSeconds) }, closed),
    output: Pending,
    run: async ({ id, overlap_seconds = 0 }, { caller }) =>
      pending(
        await keyClaims.request(caller, { rotate: { id, overlapSeconds: overlap_seconds } }),
        'replace the secret and see the new one',
      ),
  })
}

function updateKey({ memberKeys, checkPolicy, clock }: KeyToolsOptions): AnyTool {
  return defineTool({
    name: 'manage__keys_update',
    title: 'Change an API key',
    description: `Rename an API key, or change its expiry or monthly spending cap; null removes the expiry or the cap. ${SIGN_IN}`,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object({ id: KeyId, ...ApiKeyChange }, closed),
    output: ApiKeyEntry,
    async run({ id, ...change }, { caller }) {
      const policy = await checkedPolicy(checkPolicy, caller.orgId, change.policy)
      return structured(
        toKeyEntry(await memberKeys.update(caller, id, { ...toKeyUpdate(change), ...policy }), clock.now()),
      )
    },
  })
}

function revokeKey({ memberKeys }: KeyToolsOptions): AnyTool {
  return defineTool({
    name: 'manage__keys_revoke',
    title: 'Revoke an API key',
    description: `Revoke an API key permanently: programs that use it stop working at once. ${SIGN_IN}`,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object({ id: KeyId }, closed),
    output: Type.Object({ id: Type.String() }),

    async run({ id }, { caller }) {
      await memberKeys.revoke(caller, id)
      return structured({ id }, `Revoked key ${id}.`)
    },
  })
}
