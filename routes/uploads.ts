import type { IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../lib/errors/errors.ts'
import { allowLongBody } from '../lib/http/connection-answers.ts'
import type { Counters } from '../lib/rate-counters/counters.ts'
import { countPerMinute } from '../lib/rate-counters/per-minute.ts'
import { signedUrlNotFound } from '../plugins/error-envelope/not-found.ts'
import { ArtifactEntry } from '../schemas/artifact.ts'
import type { Artifacts } from '../services/artifacts/artifacts.ts'
import type { UploadTicket } from '../services/artifacts/upload-url.ts'
import type { Uploads } from '../services/artifacts/uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the URL of an upload allows; null on other routes. */
    uploadTicket: UploadTicket | null
  }
}

interface UploadRoutesOptions {
  uploads: Pick<Uploads, 'accept' | 'receive'>
  artifacts: Pick<Artifacts, 'urlOf'>
  counters: Counters
  /** How long a client can send nothing, in milliseconds; 30 s if absent. */
  idleMs?: number
  /** How long an upload can take, in milliseconds; 1 h if absent. */
  deadlineMs?: number
}

const ADVICE = 'Request another one with files__upload.'
const LIMIT = { max: 120, what: 'uploads', per: 'organization' }

async function uploadRoutes(app: FastifyInstance, options: UploadRoutesOptions) {
  const { uploads, artifacts, counters, idleMs = 30_000, deadlineMs = 3_600_000 } = options
  app.decorateRequest('uploadTicket', null)
  // A file of any type is a stream of bytes. This affects only this plugin.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', function keepStream(_request, payload, done) {
    done(null, payload)
  })

  app.route<{ Params: { id: string }; Querystring: Record<string, unknown>; Body: Readable | null }>({
    method: 'PUT',
    url: '/artifacts/:id',
    schema: {
      summary: 'Upload a file by the signed URL of files__upload, once.',
      response: { 201: ArtifactEntry },
    },
    onRequest: async function acceptUpload(request) {
      const ticket = uploads.accept(request.params.id, request.query)
      if (ticket === undefined) throw signedUrlNotFound(ADVICE)
      if (Number(request.headers['content-length'] ?? 0) > ticket.maxBytes)
        throw new GatewayError(
          'body_too_large',
          `The file is larger than ${ticket.maxBytes} bytes. Send a smaller file.`,
        )
      await countPerMinute(counters, `uploads:${ticket.orgId}`, LIMIT)
      request.uploadTicket = ticket
    },
    handler: async function receiveUpload(request, reply) {
      const { raw, uploadTicket: ticket } = request
      if (ticket === null) throw signedUrlNotFound(ADVICE)
      allowLongBody(raw)
      const { signal, stop } = watch(raw)
      try {
        const artifact = await uploads.receive(ticket, detached(request.body ?? Readable.from([])), signal)
        reply.code(201)
        return {
          artifact: artifact.id,
          name: artifact.name,
          media_type: artifact.mediaType,
          bytes: artifact.bytes,
          url: artifacts.urlOf(artifact, request.origin),
          expires_at: artifact.expiresAt.toISOString(),
        }
      } catch (error) {
        throw raw.errored === null || signal.aborted ? error : incomplete(error)
      } finally {
        stop()
      }
    },
  })

  /** Ends an upload whose client is silent or too slow. */
  function watch(request: IncomingMessage): { signal: AbortSignal; stop(): void } {
    const controller = new AbortController()
    const end = () => controller.abort(tooSlow(idleMs, deadlineMs))
    const { socket } = request
    let received = socket.bytesRead
    const deadline = setTimeout(end, deadlineMs)
    const idle = setInterval(function endIfSilent() {
      // A store that is slower than its client fills the buffer of the request.
      if (socket.bytesRead === received && request.readableLength < request.readableHighWaterMark) end()
      received = socket.bytesRead
    }, idleMs)
    return {
      signal: controller.signal,
      stop() {
        clearTimeout(deadline)
        clearInterval(idle)
      },
    }
  }
}

/** A copy of a stream. Destroying it keeps the connection open for the answer. */
function detached(body: Readable): Readable {
  const copy = new PassThrough()
  body.on('error', error => copy.destroy(error))
  return body.pipe(copy)
}

function tooSlow(idleMs: number, deadlineMs: number): GatewayError {
  return new GatewayError(
    'request_timeout',
    `The upload was silent for ${idleMs / 1000} s or took more than ${deadlineMs / 1000} s. Send the file again; the URL still works until it expires.`,
  )
}

function incomplete(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The upload ended early. Send the file again; the URL still works.', {
    cause,
  })
}

export default fp(uploadRoutes, {
  name: 'routes/uploads',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin'],
})
