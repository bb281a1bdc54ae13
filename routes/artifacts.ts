import { basename, dirname } from 'node:path'
import { send } from '@fastify/send'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { create as contentDisposition } from 'content-disposition'
import fp from 'fastify-plugin'
import { endpointNotFound } from '../plugins/error-envelope/not-found.ts'
import type { Clock } from '../schemas/time.ts'
import type { Artifact } from '../services/artifacts/artifact.ts'
import type { Artifacts } from '../services/artifacts/artifacts.ts'

interface ArtifactRoutesOptions {
  artifacts: Pick<Artifacts, 'open'>
  clock: Clock
}

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
      if (artifact === undefined) throw endpointNotFound()
      const sent = await send(request.raw, basename(artifact.path), {
        root: dirname(artifact.path),
        index: false,
        contentType: false,
        cacheControl: false,
      })
      const { statusCode, headers, stream } = sent
      if (sent.type === 'file') return reply.code(statusCode).headers(headersOf(artifact)).headers(headers).send(stream)
      // A range or condition that does not hold. The library's HTML page is omitted.
      if (statusCode === 416 || statusCode === 412) return reply.code(statusCode).headers(rangeOf(headers)).send()
      if (sent.type === 'error' && statusCode >= 500) throw sent.metadata.error
      throw endpointNotFound()
    },
  })

  function headersOf({ name, mediaType, expiresAt }: Artifact): Record<string, string> {
    const type = SHOWN.test(mediaType) ? 'inline' : 'attachment'
    const seconds = Math.max(0, Math.floor((expiresAt.getTime() - clock.now()) / 1000))
    return {
      'content-type': mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType,
      'content-disposition': contentDisposition(name, { type }),
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': `private, max-age=${seconds}`,
    }
  }
}

function rangeOf(headers: Record<string, string>): Record<string, string> {
  const range = headers['Content-Range']
  return range === undefined ? {} : { 'content-range': range }
}

export default fp(artifactRoutes, {
  name: 'routes/artifacts',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin'],
})
