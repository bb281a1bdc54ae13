import { Type } from '@sinclair/typebox'
import { OauthRequest, RegisterRemoteRequest, SLUG_RULE } from '../../schemas/remote.ts'
import { remoteCapability, wireName } from '../../schemas/remote-names.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { ManagedRemote, type ManagedRemotes, managedRemote, UPSTREAM_DEADLINE_MS } from './managed-remote.ts'

const { slug, name, upstream_url } = RegisterRemoteRequest.properties
const closed = { additionalProperties: false }
const { mode, client_id, scopes } = OauthRequest.properties

/** How the tool takes `auth`: the forms without a secret (decisions.md, secrets and models). */
const Auth = Type.Union(
  [
    Type.Object({ mode: Type.Literal('none') }, { ...closed, description: 'It is called without a credential.' }),
    Type.Object(
      {
        mode,
        client_id: Type.Optional(
          Type.String({ ...client_id, description: 'A public client that is registered there.' }),
        ),
        scopes: Type.Optional(
          Type.Array(scopes.items, { ...scopes, description: 'To ask for in place of what the server publishes.' }),
        ),
      },
      { ...closed, description: 'The operator signs in there after this call.' },
    ),
  ],
  { description: 'How the server is authenticated to.' },
)

const SECRETS_STAY_OUT =
  'a secret never passes through a model: an admin registers a server of mode bearer or header, or an OAuth client with ' +
  'a client_secret, by POST /connectors/org. This tool takes the modes none and oauth.'

/** `manage__remote_add`: registers an upstream MCP server (spec.md, Known tools). */
export function remoteAdd(remotes: Pick<ManagedRemotes, 'register'>): AnyTool {
  return defineTool({
    name: 'manage__remote_add',
    title: 'Register an MCP server',
    description:
      'Registers an MCP server of the organization’s own, reached over https. Its tools are pinned as they are now, and ' +
      'every member can call them as org__<slug>__<tool>; what it says of itself is not verified. For owners and admins; ' +
      'API keys are accepted. Servers that take a token or a header are registered by POST /connectors/org, never here: ' +
      'do not ask for a secret.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    gate: 'admin',
    deadlineMs: UPSTREAM_DEADLINE_MS,
    input: Type.Object(
      {
        slug: Type.String({
          ...slug,
          description: 'A short name of your choice, at most 20 of a-z, 0-9 and -; part of the tools’ names for good.',
        }),
        name: Type.String({ ...name, description: 'What people see.' }),
        upstream_url: Type.String({ ...upstream_url, description: 'Its MCP endpoint: https://mcp.example.com/mcp' }),
        auth: Auth,
      },
      closed,
    ),
    output: ManagedRemote,

    refuse: (args, check) => refusedSecret(args) ?? inWords(check(args)),

    async run(request, { caller, origin }) {
      const remote = await remotes.register(caller, request, origin)
      const entry = managedRemote(remote, { caller, origin })
      return structured(entry, sentences(entry))
    },
  })
}

/** Of a union the check says no more than that the value is not of it, and of a slug its pattern. */
function inWords(refusal: string | undefined): string | undefined {
  if (refusal?.startsWith('/slug ')) return `/slug ${SLUG_RULE}`
  return refusal?.startsWith('/auth')
    ? '/auth is {"mode":"none"}, or {"mode":"oauth"} with client_id and scopes if need be'
    : refusal
}

/** The refusal of an `auth` with a secret, which a model is likely to try, in words that keep it from trying on. */
function refusedSecret(args: unknown): string | undefined {
  const auth = (args as { auth?: unknown } | null | undefined)?.auth
  if (typeof auth !== 'object' || auth === null) return undefined
  const secret = ['token', 'value', 'client_secret'].find(name => Object.hasOwn(auth, name))
  const { mode } = auth as { mode?: unknown }
  if (secret !== undefined) return `/auth/${secret} ${SECRETS_STAY_OUT}`
  if (mode === 'bearer' || mode === 'header') return `/auth/mode ${SECRETS_STAY_OUT}`
  return undefined
}

function sentences({ id, name, remote, set_aside_count: count = 0, next_step }: ManagedRemote): string {
  const aside = count === 0 ? '' : `, and ${count} set aside`
  const tools =
    remote.tool_count === null
      ? ''
      : ` Tools pinned, as ${wireName(remoteCapability(id), '…')}: ${remote.tool_count}${aside}.`
  return [`Registered ${name} as ${id}.${tools}`, next_step, remote.warning].filter(Boolean).join(' ')
}
