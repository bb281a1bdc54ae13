import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { create as contentDisposition } from 'content-disposition'
import fp from 'fastify-plugin'
import { evaluateConditions } from '../lib/http/conditions.ts'
import { signedUrlNotFound } from '../plugins/error-envelope/not-found.ts'
import type { Clock } from '../schemas/time.ts'
import type { Artifact } from '../services/artifacts/artifact.ts'
import type { Artifacts } from '../services/artifacts/artifacts.ts'

interface ArtifactRoutesOptions {
  artifacts: Pick<Artifacts, 'open' | 'read' | 'has'>
  clock: Clock
}

const ADVICE = 'Files are kept for a day: run the tool that made the file again.'

/** Media types that a browser shows without running anything. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain$|application\/pdf$)/

const artifactRoutes: FastifyPluginAsyncTypebox<ArtifactRoutesOptions> = async (app, { artifacts, clock }) => {
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

function headersOf({ name, mediaType }: Artifact): Record<string, string> {
  const type = SHOWN.test(mediaType) ? 'inline' : 'attachment'
  return {
    'content-type': mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType,
    'content-disposition': contentDisposition(name, { type }),
    'content-security-policy': "default-src 'none'; sandbox",
  }
}

export default fp(artifactRoutes, {
  name: 'routes/artifacts',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin'],
})
