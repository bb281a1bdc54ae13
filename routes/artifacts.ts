import type { IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../lib/errors/errors.ts'
import { evaluateConditions } from '../lib/http/conditions.ts'
import { allowLongBody } from '../lib/http/connection-answers.ts'
import { countPerMinute } from '../lib/rate-counters/per-minute.ts'
import { ArtifactEntry } from '../schemas/tools/artifact.ts'
import type { Artifact } from '../services/artifacts/artifact.ts'
import type { Artifacts } from '../services/artifacts/artifacts.ts'
import type { Uploads, UploadTicket } from '../services/artifacts/uploads.ts'
import type { Infrastructure } from '../services/infrastructure.ts'
import { definePublicRoutes } from './define-routes.ts'

interface ArtifactRoutesOptions extends Pick<Infrastructure, 'clock'> {
  artifacts: Pick<Artifacts, 'open' | 'read' | 'has'>
}

const ADVICE = 'Files are kept for a day. To create the file again, run its tool again.'

/** Media types that a browser shows without running anything. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain$|application\/pdf$)/

const serveArtifacts: FastifyPluginAsyncTypebox<ArtifactRoutesOptions> = async (app, { artifacts, clock }) => {
  app.route<{ Params: { id: string }; Querystring: Record<string, unknown> }>({
    method: 'GET',
    url: '/artifacts/:id',
    exposeHeadRoute: true,
    schema: { summary: 'Download a file that a tool created, by its signed URL.' },
    handler: async function serveArtifact(request, reply) {
      const artifact = await artifacts.open(request.params.id, request.query)
      if (artifact === undefined) throw signedUrlNotFound(ADVICE)
      const { bytes, createdAt: lastModified } = artifact
      // The bytes of an ID never change.
      const etag = `"${artifact.id}"`
      const answer = evaluateConditions(request.headers, { etag, lastModified, bytes })
      reply.code(answer.status)
      if (answer.status === 412) return reply.send()
      if (answer.status === 416) return reply.header('content-range', `bytes */${bytes}`).send()
      const validators = { etag, 'last-modified': lastModified.toUTCString(), 'cache-control': cacheControl(artifact) }
      if (answer.status === 304) return reply.headers(validators).send()

      const range = answer.status === 206 ? answer.range : undefined
      const content = request.method === 'HEAD' ? await bodiless(artifact) : await artifacts.read(artifact, range)
      if (content === undefined) throw signedUrlNotFound(ADVICE)
      reply.headers({ ...validators, ...headersOf(artifact), 'accept-ranges': 'bytes' })
      reply.header('content-length', String(range === undefined ? bytes : range.end - range.start + 1))
      if (range !== undefined) reply.header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
      return reply.send(content)
    },
  })

  /** An empty stream keeps Fastify from setting the length of an answer to HEAD. */
  async function bodiless(artifact: Artifact): Promise<Readable | undefined> {
    return (await artifacts.has(artifact)) ? Readable.from([]) : undefined
  }

  function cacheControl({ expiresAt }: Artifact): string {
    return `private, max-age=${Math.max(0, Math.floor((expiresAt.getTime() - clock.now()) / 1000))}`
  }
}

/** The 404 of a signed URL: an altered one, an expired one and that of a file that is gone have the same answer. */
function signedUrlNotFound(advice: string): GatewayError {
  return new GatewayError('endpoint_not_found', `This URL was altered or has expired. ${advice}`)
}

function headersOf({ name, mediaType }: Artifact): Record<string, string> {
  const type = SHOWN.test(mediaType) ? 'inline' : 'attachment'
  return {
    'content-type': mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType,
    'content-disposition': contentDisposition(name, { type }),
    'content-security-policy': "default-src 'none'; sandbox",
  }
}

export const artifactRoutes = definePublicRoutes('artifacts', serveArtifacts)

declare module 'fastify' {
  interface FastifyRequest {
    /** What the URL of an upload allows; null on other routes. */
    uploadTicket: UploadTicket | null
  }
}

interface UploadRoutesOptions extends Pick<Infrastructure, 'counters'> {
  uploads: Pick<Uploads, 'accept' | 'receive'>
  artifacts: Pick<Artifacts, 'urlOf'>
  /** How long a client can send nothing, in milliseconds; 30 s if absent. */
  idleMs?: number
  /** How long an upload can take, in milliseconds; 1 h if absent. */
  deadlineMs?: number
}

const UPLOAD_ADVICE = 'Request another one with files__upload.'
const LIMIT = { max: 120, what: 'uploads', per: 'organization' }

async function receiveUploads(app: FastifyInstance, options: UploadRoutesOptions) {
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
      summary: 'Upload a file to the signed URL of files__upload, once.',
      response: { 201: ArtifactEntry },
    },
    onRequest: async function acceptUpload(request) {
      const ticket = uploads.accept(request.params.id, request.query)
      if (ticket === undefined) throw signedUrlNotFound(UPLOAD_ADVICE)
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
      if (ticket === null) throw signedUrlNotFound(UPLOAD_ADVICE)
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
    `The upload sent nothing for ${idleMs / 1000} s or took more than ${deadlineMs / 1000} s. Send the file again; the URL still works until it expires.`,
  )
}

function incomplete(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The upload ended early. Send the file again; the URL still works.', {
    cause,
  })
}

export const uploadRoutes = definePublicRoutes('uploads', receiveUploads)
