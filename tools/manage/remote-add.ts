import { Type } from '@sinclair/typebox'
import { RegisterRemoteRequest } from '../../schemas/remote.ts'
import { CREDENTIAL_OWNERS, OauthRequest } from '../../schemas/remote-auth.ts'
import { remoteCapability, wireName } from '../../schemas/remote-names.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { ManagedRemote, type ManagedRemotes, managedRemote, Refresh, UPSTREAM_DEADLINE_MS } from './managed-remote.ts'

const { slug, name, upstream_url } = RegisterRemoteRequest.properties
const closed = { additionalProperties: false }
const { mode, client_id, scopes } = OauthRequest.properties

/** The forms of `auth` without a secret, because secrets must never pass through a model. */
export const Auth = Type.Union(
  [
    Type.Object({ mode: Type.Literal('none') }, { ...closed, description: 'The server needs no credential.' }),
    Type.Object(
      {
        mode,
        client_id: Type.Optional(
          Type.String({
            ...client_id,
            description: 'The ID of a public client that is registered with the authorization server.',
          }),
        ),
        scopes: Type.Optional(
          Type.Array(scopes.items, {
            ...scopes,
            description: 'Scopes to request instead of those that the server publishes.',
          }),
        ),
        per: Type.Optional(
          StringEnum(CREDENTIAL_OWNERS, {
            description: 'With member, each member signs in for themselves. Default: organization.',
          }),
        ),
      },
      { ...closed, description: 'OAuth. After this call someone signs in: see `next_step`.' },
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
      'Register an MCP server for the organization by its https URL. The gateway pins the server’s current tools, and every ' +
      'member can call them as org__<slug>__<tool>. Their descriptions are unverified. Requires an owner or admin; API keys ' +
      'are accepted. Do not ask for a secret: a server that needs a token or header is registered by POST /connectors/org.',
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
export function refusedSecret(args: unknown): string | undefined {
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
