import { type Static, Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/org-resolution/plugin.ts'
import { orNull } from '../../schemas/primitives/or-null.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { clientConfigurations } from '../../services/client-configurations/client-configurations.ts'
import type { NotConfigured } from '../../services/definitions/define-tool.ts'
import { isAdmin } from '../../services/identity/caller.ts'
import type { Settings } from '../../services/settings/settings.ts'
import type { Capabilities } from '../../services/tool-calls/capabilities.ts'
import type { Quote } from '../../services/tool-calls/tool-call.ts'
import { defineRoutes, type RouteScope, rejectMember } from '../define-routes.ts'

interface ToolRoutesOptions {
  capabilities: Pick<Capabilities, 'switchedOff' | 'set'>
  quote(name: string, args: unknown): Quote
  settings: Pick<Settings, 'tokens'>
  notConfigured: readonly NotConfigured[]
  /** The URL that MCP clients connect to. */
  gatewayUrl(): string
}

const closed = { additionalProperties: false }
const Path = Type.Object({ capability: Type.String({ maxLength: 200 }) })
const Scope = StringEnum(['organization', 'self'])
const Off = Type.Object({ capability: Type.String(), for: Scope }, closed)
const Missing = Type.Object({ what: Type.String(), variables: Type.String() }, closed)
const Switches = Type.Object(
  {
    off: Type.Array(Off),
    not_configured: Type.Array(Missing, { description: 'What an operator could configure. Empty for members.' }),
  },
  closed,
)
const Switch = Type.Object({ enabled: Type.Boolean(), for: Scope }, closed)
const Form = Type.Object({ steps: orNull(Type.Array(Type.Unknown())), unsupported: orNull(Type.String()) }, closed)
const Client = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Type.String(),
    key: Form,
    sign_in: orNull(Form),
    notes: Type.Array(Type.String()),
  },
  closed,
)
const Call = Type.Object(
  { name: Type.String({ maxLength: 200 }), arguments: Type.Record(Type.String(), Type.Unknown()) },
  closed,
)
const QuoteView = Type.Object({ metered: Type.Boolean(), hold_micros: orNull(Type.Integer()) }, closed)
const config = { group: 'account' } as const

/** Which tools are switched off, what calls cost, and how clients connect. */
function addCapabilityRoutes(app: RouteScope, { capabilities, quote, notConfigured }: ToolRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/capabilities',
    config,
    schema: {
      summary: 'List the families, connectors and tools that are switched off for the caller.',
      response: { 200: Switches },
    },
    handler: async function listOff(request): Promise<Static<typeof Switches>> {
      const caller = callerOf(request)
      const { orgId, userId } = caller
      const off = await capabilities.switchedOff(orgId, userId)
      return {
        off: off.map(({ capability, userId }) => ({ capability, for: userId === null ? 'organization' : 'self' })),
        not_configured: isAdmin(caller) ? notConfigured.map(({ what, variables }) => ({ what, variables })) : [],
      }
    },
  })

  app.route<{ Params: Static<typeof Path>; Body: Static<typeof Switch> }>({
    method: 'PUT',
    url: '/capabilities/:capability',
    config,
    schema: {
      summary: 'Switch a family, connector or tool on or off for the caller or, as an admin, for the organization.',
      params: Path,
      body: Switch,
      response: { 204: Type.Null() },
    },
    handler: async function setCapability(request, reply) {
      const caller = callerOf(request)
      const { enabled, for: scope } = request.body
      if (scope === 'organization') rejectMember(caller)
      const userId = scope === 'self' ? caller.userId : null
      await capabilities.set({
        orgId: caller.orgId,
        userId,
        capability: request.params.capability,
        enabled,
        by: caller,
      })
      return reply.code(204).send()
    },
  })

  app.route<{ Body: Static<typeof Call> }>({
    method: 'POST',
    url: '/tool-quotes',
    config,
    schema: {
      summary: 'Show what a tool call will cost, without calling the tool.',
      body: Call,
      response: { 200: QuoteView },
    },
    handler: async function quoteCall(request): Promise<Static<typeof QuoteView>> {
      const { metered, holdMicros } = quote(request.body.name, request.body.arguments)
      return { metered, hold_micros: holdMicros }
    },
  })
}

function addClientsRoute(app: RouteScope, { gatewayUrl, settings }: ToolRoutesOptions): void {
  const signsClientsIn = settings.tokens.mcp !== undefined

  app.route({
    method: 'GET',
    url: '/client-configurations',
    config,
    schema: {
      summary: 'Show how each MCP client connects to the gateway.',
      response: { 200: Type.Object({ clients: Type.Array(Client) }, closed) },
    },
    handler: async function listClients() {
      const clients = clientConfigurations({ origin: new URL(gatewayUrl()).origin })
      return {
        clients: clients.map(({ id, name, kind, key, signIn, notes }) => ({
          id,
          name,
          kind,
          notes: [...notes],
          key: formOf(key),
          // Without an issuer of tokens for clients, no client can sign in.
          sign_in: signsClientsIn ? formOf(signIn) : null,
        })),
      }
    },
  })
}

function formOf(form: { steps: readonly unknown[] } | { unsupported: string }): Static<typeof Form> {
  return 'steps' in form
    ? { steps: [...form.steps], unsupported: null }
    : { steps: null, unsupported: form.unsupported }
}

export default defineRoutes<ToolRoutesOptions>('dashboard/tools', {
  organization: addCapabilityRoutes,
  anyone: addClientsRoute,
})
