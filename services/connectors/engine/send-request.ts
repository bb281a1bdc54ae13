import { readBounded } from '../../../lib/egress/bodies.ts'
import type { AnswerHead, Egress, EgressRequest, EgressStream } from '../../../lib/egress/egress.ts'
import { createOauth1Signer } from '../../../lib/http/oauth1.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { Sent } from '../../credentials/grants.ts'
import type { OauthClients } from '../../credentials/oauth-clients.ts'
import { redactorOf } from '../../credentials/redactor.ts'
import type { ConnectorCall } from '../../definitions/connector-tool.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { ProviderFailure } from './answer/classify-answer.ts'
import { type ProviderAnswer, readAnswer, readStream } from './answer/provider-answer.ts'
import type { CompiledTool } from './compile-tool.ts'
import { isPdf } from './convert/file-text.ts'
import { authorize } from './request/authorize.ts'
import type { PreparedRequest } from './request/build-request.ts'

export interface SendRequestOptions extends Pick<Infrastructure, 'clock' | 'commands'> {
  egress: Pick<Egress, 'request' | 'stream'>
  /** OAuth 1.0a signs each request with the app that the grant was issued to. */
  clients: Pick<OauthClients, 'ofGrant'>
  /** The maximum duration of an exchange with a provider, in milliseconds; 28 s if absent. */
  deadlineMs?: number
  /** The maximum size of a file, in bytes, before the store applies its own limit; 1 GiB if absent. */
  maxFileBytes?: number
}

/** The result of one request: an error, an answer, or a file that is still arriving. */
export interface Outcome {
  readonly answer: ProviderAnswer
  readonly failure: ProviderFailure | undefined
  readonly file?: EgressStream
}

/** A credential and the OAuth app that it was issued to; null if it is a key or the app is unknown. */
interface Grant {
  readonly credential: Credential
  readonly clientId: string | null
}

/** Sends the request of a call with its account's credential. Throws EgressErrors, and what `authorize` throws. */
type SendRequest = (
  call: ConnectorCall,
  tool: Pick<CompiledTool, 'classify'>,
  request: PreparedRequest,
  grant: Grant,
  /** The milliseconds that are left, for one of several requests of a call. */
  left?: number,
) => Promise<Sent<Outcome>>

/** Ends before the call's own deadline of 30 s, which cannot say whether something may have been executed. */
export const DEADLINE_MS = 28_000
const MAX_FILE_BYTES = 1024 ** 3
/** The maximum size of a JSON answer. A hundred pull requests of GitHub take half of it. */
const MAX_JSON_BYTES = 4 * 1024 ** 2
const MAX_TEXT_FILE_BYTES = 8 * 1024 ** 2
/** Providers redirect to renamed items (repositories of GitHub) and to file storage. */
const REDIRECTS_OF_READS = 3
const REDIRECTS_OF_FILES = 5

export function createSendRequest(options: SendRequestOptions): SendRequest {
  const { egress, clients, clock, commands, deadlineMs = DEADLINE_MS, maxFileBytes = MAX_FILE_BYTES } = options
  const sign = createOauth1Signer({ clock })

  return async function sendRequest(call, { classify }, prepared, { credential, clientId }, left) {
    const { connector, tool, account, signal } = call
    const { method, url, headers, body } = prepared
    const client =
      credential.kind === 'oauth1a' ? await clients.ofGrant(account.orgId, connector.id, clientId) : undefined
    const secret =
      prepared.anonymous === true
        ? undefined
        : authorize({ connector, credential, tool, account, commands, client, request: prepared, sign })
    const request: EgressRequest = {
      method,
      url,
      headers,
      ...(body !== undefined && { body }),
      ...(secret && { credential: { origin: url.origin, headers: secret } }),
      deadlineMs: left ?? deadlineMs,
      concurrencyKey: account.orgId,
      signal,
    }
    const redact = redactorOf(credential, ...(client === undefined ? [] : [client.secret]))

    if (tool.result.kind === 'file' || tool.result.kind === 'log') {
      const file = await egress.stream({ ...request, maxBytes: maxFileBytes, maxRedirects: REDIRECTS_OF_FILES })
      if (file.status >= 300) return classified(file, await readStream(file, redact))
      const { status, headers } = file
      const answer = { status, headers, body: '', json: undefined, redact }
      return { answer: { answer, failure: undefined, file }, unauthorized: false }
    }
    // A signature is valid for one URL, and a write must not be repeated elsewhere.
    const follows = method === 'GET' && credential.kind !== 'oauth1a'
    const redirects = follows ? { maxRedirects: REDIRECTS_OF_READS } : {}
    if (tool.result.kind === 'text') {
      const maxBytes = MAX_TEXT_FILE_BYTES
      const streamed = await egress.stream({ ...request, ...redirects, maxBytes })
      if (streamed.status >= 300) return classified(streamed, await readStream(streamed, redact))
      const { bytes } = await readBounded(streamed.body, maxBytes)
      // Decoded as a text, a PDF would lose bytes, and take up twice its size while it waits for its reader.
      const pdf = isPdf(bytes) ? bytes : undefined
      const body = pdf === undefined ? new TextDecoder().decode(bytes) : ''
      const answer = readAnswer({ ...streamed, body }, redact, { json: false })
      return classified(streamed, { ...answer, ...(pdf && { pdf }) })
    }
    const answered = await egress.request({ ...request, ...redirects, maxBytes: MAX_JSON_BYTES })
    return classified(answered, readAnswer(answered, redact, { json: true, xml: prepared.xml === true }))

    function classified({ answeredWithCredential }: AnswerHead, answer: ProviderAnswer): Sent<Outcome> {
      const failure = classify(answer)
      if (failure?.kind !== 'unauthorized') return { answer: { answer, failure }, unauthorized: false }
      const tokenOwner = credential.kind === 'oauth2' && tool.as === 'user' ? 'user' : 'own'
      if (answeredWithCredential && secret !== undefined)
        return { answer: { answer, failure }, unauthorized: true, tokenOwner }
      // A redirect target that never received the credential cannot reject it.
      return { answer: { answer, failure: { ...failure, kind: 'rejected' } }, unauthorized: false }
    }
  }
}
