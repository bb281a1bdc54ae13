import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { endpointNotFound } from '../plugins/error-envelope/plugin.ts'
import type { Icons } from '../services/connectors/icons.ts'
import { definePublicRoutes } from './define-routes.ts'

interface IconRoutesOptions {
  icons: Pick<Icons, 'find'>
}

/** Prevents an SVG that is opened as a page from running scripts or fetching anything. */
const NOTHING_RUNS = "default-src 'none'; sandbox"

const iconRoutes: FastifyPluginAsyncTypebox<IconRoutesOptions> = async (app, { icons }) => {
  app.route({
    method: 'GET',
    url: '/icons/:file',
    schema: {
      summary: 'Get the icon of a connector, by the hash of its content.',
      params: Type.Object({ file: Type.String() }),
      response: { 200: { content: { 'image/svg+xml': { schema: Type.Unsafe<Buffer>(Type.String()) } } } },
    },
    handler: async function sendIcon(request, reply) {
      const { file } = request.params
      const svg = file.endsWith('.svg') ? icons.find(file.slice(0, -'.svg'.length)) : undefined
      if (svg === undefined) throw endpointNotFound(request)
      return reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', NOTHING_RUNS)
        .send(svg)
    },
  })
}

export default definePublicRoutes('icons', iconRoutes)
