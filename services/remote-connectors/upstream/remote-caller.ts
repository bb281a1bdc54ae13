import { hash, randomBytes } from 'node:crypto'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Grants } from '../../credentials/grants.ts'
import type { ToolResult } from '../../mcp/mcp-types.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import type { SignAssertion } from '../assertions.ts'
import type { FixedHeaders } from '../fixed-headers.ts'
import { grantConnectorOf, upstreamHeaders } from '../grant-connector.ts'
import type { Registration } from '../registration.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import { pendingReason } from '../unavailable-reason.ts'
import { withCredentialRedacted } from './redact.ts'
import {
  type ExchangeOptions,
  type ListedOffers,
  type PromptResult,
  type ReadResult,
  type UpstreamCall,
  type UpstreamCredential,
  UpstreamError,
  type UpstreamPrompt,
  type UpstreamRead,
  type Upstreams,
  type UpstreamTarget,
} from './upstream.ts'

/** The registration to call, and the account with its credential. */
export type Subject = Pick<RemoteConnector, 'registration' | 'account' | 'userId' | 'agentId'>

/**
 * Calls registered upstreams with their credentials, which Grants renews before they expire and once after a 401. All methods
 * throw UpstreamErrors, needs_reauth while the authorization is pending, and the errors of Grants.send.
 */
export interface RemoteCaller {
  listTools(subject: Subject, options: ExchangeOptions): Promise<unknown[]>
  listOffers(subject: Subject, options: ExchangeOptions): Promise<ListedOffers>
  callTool(subject: Subject, call: UpstreamCall, options: ExchangeOptions): Promise<ToolResult>
  readResource(subject: Subject, read: UpstreamRead, options: ExchangeOptions): Promise<ReadResult>
  getPrompt(subject: Subject, prompt: UpstreamPrompt, options: ExchangeOptions): Promise<PromptResult>
}

const NO_CREDENTIAL: UpstreamCredential = { headers: {}, key: '' }

function justMoved({ name }: Registration): GatewayError {
  return new GatewayError('upstream_unavailable', `The URL of ${name} has just changed. Retry the call.`)
}

export function createRemoteCaller({
  grants,
  upstreams,
  fixedHeaders,
  signAssertion,
  commands,
}: {
  grants: Pick<Grants, 'send'>
  fixedHeaders: Pick<FixedHeaders, 'open'>
  signAssertion: SignAssertion
  upstreams: Pick<Upstreams, keyof RemoteCaller>
  commands: OperatorCommands
}): RemoteCaller {
  /** Keeps a connection key from revealing its credential. */
  const salt = randomBytes(16).toString('hex')

  /** Depends on the account and its current token, so that a session ends with the token that it began with. */
  function keyOf(accountId: string, headers: UpstreamCredential['headers']): string {
    return `${accountId}.${hash('sha256', salt + JSON.stringify(headers), 'base64url').slice(0, 16)}`
  }

  /** Sends a request with a new assertion. Sessions are separate for each member and agent. */
  async function askAsMember<T>(
    { registration, userId, agentId }: Subject,
    ask: (credential: UpstreamCredential) => Promise<T>,
  ): Promise<T> {
    // An assertion must never name another member.
    if (userId === undefined) throw new TypeError(`${registration.slug} was called without a member`)
    const jwt = await signAssertion(registration, { userId, agentId })
    const fixed = fixedHeaders.open(registration)
    const key = keyOf(`${userId} ${agentId ?? ''}`, fixed)
    const headers = { ...fixed, authorization: `Bearer ${jwt}` }
    return withCredentialRedacted({ v: 1, kind: 'api_key', key: jwt }, () => ask({ headers, key }), fixed)
  }

  async function send<T>(
    subject: Subject,
    ask: (target: UpstreamTarget, credential: UpstreamCredential) => Promise<T>,
  ): Promise<T> {
    const { registration, account } = subject
    const { id, orgId, upstreamUrl: url, auth } = registration
    const target = { orgId, id, url }
    if (auth.mode === 'none') return ask(target, NO_CREDENTIAL)
    if (auth.mode === 'assertion') return askAsMember(subject, credential => ask(target, credential))
    if (account === undefined) throw new GatewayError('needs_reauth', pendingReason(subject, commands).explanation)
    // The two come from two reads, between which an admin may have changed the URL together with the credential.
    if (account.identity !== new URL(url).host) throw justMoved(registration)
    const connector = grantConnectorOf(registration, auth)
    const sent = await grants.send<{ value: T } | { error: UpstreamError }>(account, connector, async credential => {
      try {
        const fixed = fixedHeaders.open(registration)
        const headers = { ...fixed, ...upstreamHeaders(connector, credential) }
        const key = keyOf(account.id, headers)
        const value = await withCredentialRedacted(credential, () => ask(target, { headers, key }), fixed)
        return { answer: { value }, unauthorized: false }
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.kind !== 'unauthorized') throw error
        return { answer: { error }, unauthorized: true }
      }
    })
    if ('error' in sent) throw sent.error
    return sent.value
  }

  return {
    listTools: (subject, options) =>
      send(subject, (target, credential) => upstreams.listTools(target, credential, options)),
    listOffers: (subject, options) =>
      send(subject, (target, credential) => upstreams.listOffers(target, credential, options)),
    callTool: (subject, call, options) =>
      send(subject, (target, credential) => upstreams.callTool(target, credential, call, options)),
    readResource: (subject, read, options) =>
      send(subject, (target, credential) => upstreams.readResource(target, credential, read, options)),
    getPrompt: (subject, prompt, options) =>
      send(subject, (target, credential) => upstreams.getPrompt(target, credential, prompt, options)),
  }
}
