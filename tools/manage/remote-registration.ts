import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import {
  AUTHORIZATION_PARAMS,
  AuthorizationParam,
  type AuthorizationParams,
  CREDENTIAL_OWNERS,
  OauthRequest,
} from '../../schemas/remotes/auth.ts'
import { remoteCapability, wireName } from '../../schemas/remotes/names.ts'
import { OverrideChanges } from '../../schemas/remotes/overrides.ts'
import { RegisterRemoteRequest, UpdateRemoteRequest } from '../../schemas/remotes/remote.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { rejectAgent } from '../../services/identity/identity.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { ManagedRemote, type ManagedRemotes, managedRemote, Refresh, Slug, UPSTREAM_DEADLINE_MS } from './remotes.ts'

const { slug, name, upstream_url } = RegisterRemoteRequest.properties
const closed = { additionalProperties: false }
const { mode, client_id, scopes } = OauthRequest.properties

/** One schema for all of them: a schema for each would make the list of tools longer. */
const authorizationParams = Type.Unsafe<AuthorizationParams>(
  Type.Record(Type.String({ pattern: `^(?:${AUTHORIZATION_PARAMS.join('|')})$` }), AuthorizationParam, {
    ...closed,
    description: `Additional sign-in parameters, if the provider needs them: ${AUTHORIZATION_PARAMS.join(', ')}.`,
  }),
)

/** The forms of `auth` without a secret, because secrets must never pass through a model. */
const Auth = Type.Union(
  [
    Type.Object(
      { mode: Type.Literal('none', { description: 'No credential.' }) },
      { ...closed, description: 'The server needs no credential.' },
    ),
    Type.Object(
      {
        mode: { ...mode, description: 'OAuth.' },
        client_id: Type.Optional(
          Type.String({
            ...client_id,
            description: 'The ID of a public client registered with the authorization server.',
          }),
        ),
        scopes: Type.Optional(
          Type.Array(scopes.items, {
            ...scopes,
            description: 'Scopes to request instead of those that the server publishes.',
          }),
        ),
        authorization_params: Type.Optional(authorizationParams),
        per: Type.Optional(
          StringEnum(CREDENTIAL_OWNERS, {
            description: 'member: each member signs in separately. Default: organization.',
          }),
        ),
      },
      { ...closed, description: 'OAuth. After this call, someone must sign in: see `next_step`.' },
    ),
  ],
  { description: 'How the gateway authenticates to the server.' },
)

const SECRETS_STAY_OUT =
  'must not be sent through a model, because it is a secret. An admin registers a server of mode bearer or header, or ' +
  'with a client_secret, by POST /connectors/org, and changes it by PATCH /connectors/org/SLUG. This tool accepts the ' +
  'modes none and oauth.'

/** `manage__remote_add`: registers an upstream MCP server. */
export function remoteAdd(remotes: Pick<ManagedRemotes, 'register'>, commands: OperatorCommands): AnyTool {
  return defineTool({
    name: 'manage__remote_add',
    title: 'Register an MCP server',
    description:
      'Register an MCP server for the organization by its https URL. The gateway pins the server’s current tools, ' +
      'and every member can call them as org__<slug>__<tool>. Their descriptions are unverified. Requires an owner ' +
      'or admin; API keys are accepted. Do not ask for a secret: register a server that needs a token or header with ' +
      'POST /connectors/org.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    gate: 'admin',
    deadlineMs: UPSTREAM_DEADLINE_MS,
    input: Type.Object(
      {
        slug: Type.String({
          ...slug,
          description:
            'A short name: at most 20 characters of a-z, 0-9 and -. It becomes part of the tools’ names and cannot be changed.',
        }),
        name: Type.String({ ...name, description: 'The display name.' }),
        upstream_url: Type.String({
          ...upstream_url,
          description: 'The URL of the MCP endpoint, such as https://mcp.example.com/mcp',
        }),
        auth: Auth,
        refresh: Type.Optional(Refresh),
      },
      closed,
    ),
    output: ManagedRemote,

    refuse: (args, check) => refusedSecret(args) ?? check(args),

    async run(request, { caller, origin }) {
      const remote = await remotes.register(caller, request, origin)
      const entry = managedRemote(remote, { caller, origin }, commands)
      return structured(entry, sentences(entry))
    },
  })
}

/** The error for an `auth` with a secret, worded so that a model does not retry with another secret. */
function refusedSecret(args: unknown): string | undefined {
  const auth = (args as { auth?: unknown } | null | undefined)?.auth
  if (typeof auth !== 'object' || auth === null) return undefined
  const secret = ['token', 'value', 'client_secret', 'private_key', 'headers'].find(name => Object.hasOwn(auth, name))
  const { mode } = auth as { mode?: unknown }
  if (secret !== undefined) return `\`auth.${secret}\` ${SECRETS_STAY_OUT}`
  if (mode === 'bearer' || mode === 'header' || mode === 'client_credentials')
    return `\`auth.mode\` ${SECRETS_STAY_OUT}`
  return undefined
}

function sentences({ id, name, remote, set_aside_count: count = 0, next_step }: ManagedRemote): string {
  const rejected = count === 0 ? '' : `, ${count} rejected`
  const tools =
    remote.tool_count === null
      ? ''
      : ` Tools pinned, as ${wireName(remoteCapability(id), '…')}: ${remote.tool_count}${rejected}.`
  return [`Registered ${name} as ${id}.${tools}`, next_step, remote.warning].filter(Boolean).join(' ')
}

const changeable = UpdateRemoteRequest.properties
const NOTHING = 'Send at least one of `name`, `upstream_url`, `auth`, `refresh` and `overrides`.'

/** `manage__remote_update`: changes a registered MCP server. */
export function remoteUpdate(remotes: Pick<ManagedRemotes, 'update'>, commands: OperatorCommands): AnyTool {
  return defineTool({
    name: 'manage__remote_update',
    title: 'Change a registered MCP server',
    description:
      'Change the name, URL, authentication or refresh mode of a registered MCP server, or how its tools are listed ' +
      '(overrides: title, description, hidden, fixed arguments, class). A new URL is tried first; its tools are ' +
      'pinned unless a change is risky, otherwise they wait for an admin (pending). A new origin needs a new ' +
      'credential: this tool can set auth to none or oauth; an admin sends tokens with PATCH /connectors/org/SLUG. ' +
      'Ask the user before you change a URL. Requires an owner or admin; API keys are accepted.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    gate: 'admin',
    deadlineMs: UPSTREAM_DEADLINE_MS,
    input: Type.Object(
      {
        slug: Slug,
        name: { ...changeable.name, description: 'The new display name.' },
        upstream_url: { ...changeable.upstream_url, description: 'The new URL of its MCP endpoint.' },
        auth: Type.Optional(Auth),
        refresh: Type.Optional(Refresh),
        overrides: Type.Optional(OverrideChanges),
      },
      { additionalProperties: false },
    ),
    output: ManagedRemote,

    refuse: (args, check) => refusedSecret(args) ?? check(args) ?? (changesNothing(args) ? NOTHING : undefined),

    async run({ slug, ...request }, { caller, identity, origin }) {
      if (request.auth !== undefined) rejectAgent(identity)
      const remote = await remotes.update(caller, slug, request, origin)
      const entry = managedRemote(remote, { caller, origin }, commands)
      const waiting =
        entry.pending === undefined
          ? undefined
          : `Its current tools wait for an admin: preview them with manage__remote_refresh.`
      const failed = remote.snapshotFailure && `${remote.snapshotFailure} The tools stay pinned as before.`
      return structured(entry, [`Changed ${entry.name}.`, waiting, failed, entry.next_step].filter(Boolean).join(' '))
    },
  })
}

function changesNothing(args: unknown): boolean {
  return Object.keys(args as object).length < 2
}
