import { isJsonObject } from '../../../lib/http/json.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import { remoteCapability, wireName } from '../../../schemas/remotes/names.ts'
import { RPC_ERRORS } from '../../mcp/json-rpc.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import type {
  OfferContext,
  OfferEntry,
  RemoteOffers,
  UpstreamOfferResult,
  UpstreamOffers,
} from '../../tool-calls/organization-resources-and-prompts.ts'
import { callFailure } from '../calls/call-failure.ts'
import { asMember } from '../calls/remote-tools.ts'
import { servedTools } from '../overrides.ts'
import { namesInterface, publishedBlock, publishedMeta, withoutOwnMeta } from '../published-meta.ts'
import { isPerMember, type Registration } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { fromGatewayUri, toGatewayTemplate, toGatewayUri, UI_SCHEME } from '../resource-uri.ts'
import type { PinnedPrompt, PinnedResource, PinnedTemplate, StoredSnapshot } from '../snapshot.ts'
import { remoteToolName } from '../to-tool-entry.ts'
import { isListed } from '../unavailable-reason.ts'
import type { RemoteCaller } from '../upstream/remote-caller.ts'
import { UpstreamError } from '../upstream/upstream.ts'

interface RemoteOffersOptions {
  remotes: Pick<RemoteConnectors, 'list'>
  remoteCaller: Pick<RemoteCaller, 'readResource' | 'getPrompt'>
  commands: OperatorCommands
  log: Pick<Logger, 'warn'>
}

/** For all registered servers of an organization together. */
const MAX_ENTRIES = 2_000
const MAX_CHARACTERS = 8 * 1024 * 1024

/** Less than the deadline of the request, whose error cannot name the server. */
const DEADLINE_MS = 48_000
/** The longest time that a modern client may cache a resource, in milliseconds. */
const MAX_TTL_MS = 60_000

/** The errors of an upstream for what does not exist: before and since 2026-07-28, and of one without such a method. */
const NOT_FOUND: readonly (number | undefined)[] = [
  RPC_ERRORS.resourceNotFound.code,
  RPC_ERRORS.invalidParams.code,
  RPC_ERRORS.methodNotFound.code,
]

export function createRemoteOffers({ remotes, remoteCaller, commands, log }: RemoteOffersOptions): RemoteOffers {
  /** Asks an upstream. Throws GatewayErrors; returns undefined if it does not know what is asked for. */
  async function ask<T>(
    registered: RemoteConnector,
    { caller, identity, account, signal }: OfferContext,
    send: (remote: RemoteConnector, options: { signal: AbortSignal; deadlineMs: number }) => Promise<T>,
  ): Promise<{ value: T } | { unknown: string }> {
    const { registration } = registered
    const { orgId, id, slug } = registration
    // A surface that was shared across organizations by mistake would use another organization's credential.
    if (caller.orgId !== orgId) throw new TypeError(`A resource of ${orgId} was requested from ${caller.orgId}`)
    const remote = asMember(registered, { caller, identity, account }, remoteCapability(slug))
    try {
      return { value: await send(remote, { signal, deadlineMs: DEADLINE_MS }) }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (error.kind === 'rpc' && NOT_FOUND.includes(error.rpcCode)) return { unknown: error.message }
      if (error.kind !== 'rpc' && error.kind !== 'aborted')
        log.warn({ err: error, org: orgId, remote: id, slug }, 'a request of a remote resource or prompt failed')
      throw await callFailure(remote, error, commands)
    }
  }

  function offersOf(remote: RemoteConnector, { tools, offers }: StoredSnapshot): UpstreamOffers {
    const { slug, name } = remote.registration
    const capability = remoteCapability(slug)
    const prompts = new Map(offers.prompts.map(prompt => [wireName(capability, prompt.name), prompt]))
    const lists = {
      resources: offers.resources.map(resource => listed(resourceEntry(resource, remote.registration), 'uri')),
      resourceTemplates: offers.templates.map(template =>
        listed(templateEntry(template, remote.registration), 'uriTemplate'),
      ),
      prompts: offers.prompts.map(prompt => listed(promptEntry(prompt, remote.registration), 'name')),
    }
    const upstreamUri = (uri: string) => {
      const named = fromGatewayUri(uri)
      return named?.slug === slug ? named.uri : undefined
    }

    return {
      capability,
      lists,
      needsAccount: isPerMember(remote.registration),
      announced: offers.announced,
      hasInterface:
        tools.some(({ meta }) => namesInterface(meta)) || offers.resources.some(({ uri }) => uri.startsWith(UI_SCHEME)),
      size: Object.values(lists)
        .flat()
        .reduce((sum, { json }) => sum + json.length, 0),
      prompts: new Set(prompts.keys()),

      serves: uri => upstreamUri(uri) !== undefined,

      async readResource(uri, context) {
        const own = upstreamUri(uri)
        if (own === undefined) throw new TypeError(`${uri} is not a resource of ${slug}`)
        const { trace } = context
        const answer = await ask(remote, context, (acting, options) =>
          remoteCaller.readResource(acting, { uri: own, trace }, options),
        )
        if ('unknown' in answer) return refused('unknown', `Resource not found: ${name} says: ${answer.unknown}`)
        const { contents, ttlMs, _meta: meta } = answer.value
        const _meta = withoutOwnMeta(meta)
        return {
          result: {
            contents: contents.map(part => ({
              ...part,
              // The client finds the resource by the URI that it asked for.
              uri: part.uri === own ? uri : toGatewayUri(slug, part.uri),
            })),
            ...(_meta !== undefined && { _meta }),
          },
          ttlMs: Math.min(ttlMs ?? 0, MAX_TTL_MS),
        }
      },

      async getPrompt(wire, sent, context) {
        const prompt = prompts.get(wire)
        if (prompt === undefined) return refused('unknown', `Prompt ${wire} not found`)
        const args = promptArguments(prompt, wire, sent)
        if (typeof args === 'string') return refused('invalid', args)
        const { trace } = context
        const answer = await ask(remote, context, (acting, options) =>
          remoteCaller.getPrompt(acting, { name: prompt.originalName, arguments: args, trace }, options),
        )
        if ('unknown' in answer) return refused('invalid', `${name} rejected the prompt: ${answer.unknown}`)
        const { description, messages, _meta: meta } = answer.value
        const _meta = withoutOwnMeta(meta)
        return {
          result: {
            ...(description !== undefined && { description }),
            messages: messages.map(message => ({ ...message, content: publishedBlock(slug, message.content) })),
            ...(_meta !== undefined && { _meta }),
          },
        }
      },
    }
  }

  return {
    async of(orgId) {
      const all = (await remotes.list(orgId)).filter(isServed)
      all.sort(({ registration: a }, { registration: b }) => a.createdAt.getTime() - b.createdAt.getTime())
      const fitting: UpstreamOffers[] = []
      const left = { entries: MAX_ENTRIES, characters: MAX_CHARACTERS }
      for (const remote of all) {
        if (remote.snapshot === undefined) continue
        const offers = offersOf(remote, remote.snapshot)
        const entries = Object.values(offers.lists).reduce((sum, list) => sum + list.length, 0)
        if (entries > left.entries || offers.size > left.characters) {
          const { id, slug } = remote.registration
          log.warn({ org: orgId, remote: id, slug }, 'the resources and prompts of a remote connector are not served')
          continue
        }
        left.entries -= entries
        left.characters -= offers.size
        fitting.push(offers)
      }
      return fitting
    },
  }
}

/** By the rules for tools. A registration whose listed tools are all left out offers nothing. */
function isServed(remote: RemoteConnector): boolean {
  const tools = servedTools(remote.registration, remote.snapshot?.tools ?? []).length
  return isListed(remote) && (remote.leftOut === 0 || remote.leftOut < tools)
}

function refused(kind: 'unknown' | 'invalid', message: string): UpstreamOfferResult {
  return { refused: kind, message }
}

function listed<Key extends string>(entry: Readonly<Record<Key, string>> & object, key: Key): OfferEntry {
  return { key: entry[key], json: JSON.stringify(entry) }
}

/** The arguments of a prompt, which are strings; a sentence if they are invalid. */
function promptArguments(
  { arguments: declared }: PinnedPrompt,
  name: string,
  sent: unknown = {},
): Record<string, string> | string {
  const prefix = `Invalid params: Invalid arguments for prompt ${name}:`
  if (!isJsonObject(sent)) return `${prefix} Send \`arguments\` as an object.`
  const args: Record<string, string> = {}
  for (const [key, value] of Object.entries(sent)) {
    if (typeof value !== 'string') return `${prefix} Each argument must be a string.`
    args[key] = value
  }
  const missing = declared.filter(argument => argument.required === true && !Object.hasOwn(args, argument.name))
  if (missing.length === 0) return args
  return `${prefix} ${missing.map(argument => `\`${argument.name}\` is required.`).join(' ')}`
}

type Registered = Pick<Registration, 'slug' | 'name'>

/** The entry of a resource in `resources/list`: the upstream's own texts, marked as such. */
export function resourceEntry(resource: PinnedResource, registration: Registered) {
  const { uri, size } = resource
  return {
    uri: toGatewayUri(registration.slug, uri),
    ...fields(resource, registration, 'resource'),
    ...typed(resource),
    ...(size !== undefined && { size }),
  }
}

/** The entry of a template in `resources/templates/list`. */
export function templateEntry(template: PinnedTemplate, registration: Registered) {
  return {
    uriTemplate: toGatewayTemplate(registration.slug, template.uriTemplate),
    ...fields(template, registration, 'resource template'),
    ...typed(template),
  }
}

/** The entry of a prompt in `prompts/list`. */
export function promptEntry(prompt: PinnedPrompt, registration: Registered) {
  return {
    ...fields(prompt, registration, 'prompt'),
    name: remoteToolName(registration, prompt),
    arguments: prompt.arguments,
  }
}

function fields(
  { name, title, description, meta }: PinnedResource | PinnedTemplate | PinnedPrompt,
  registration: Registered,
  what: string,
) {
  const own = description ?? ''
  return {
    name,
    ...(title !== undefined && { title }),
    description:
      own === ''
        ? `${title ?? name}: a ${what} of the registered upstream "${registration.name}", without a description.`
        : `${own}\n\n(Unverified description by the registered upstream "${registration.name}".)`,
    ...(meta !== undefined && { _meta: publishedMeta(registration.slug, meta) }),
  }
}

function typed({ mimeType, annotations }: PinnedResource | PinnedTemplate) {
  return { ...(mimeType !== undefined && { mimeType }), ...(annotations !== undefined && { annotations }) }
}
