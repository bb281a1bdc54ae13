import { GatewayError } from '../../lib/errors/errors.ts'

/** What this service answers on; the message of every 404 lists it. */
export const SERVED_ENDPOINTS = [
  'POST /mcp',
  'GET /connectors',
  'GET /connectors/:id',
  'DELETE /connectors/:id',
  'DELETE /connectors/:id/accounts/:accountId',
  'POST /connectors/org',
  'GET /connectors/org/:slug',
  'DELETE /connectors/org/:slug',
  'POST /connectors/org/:slug/refresh',
  'GET /artifacts/:id',
  'GET /icons/:file',
  'GET /health',
  'GET /version',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-client-metadata',
] as const

/** The one 404: for an unknown path, and for every id that does not exist, is not offered, or is another tenant's. */
export function endpointNotFound(): GatewayError {
  return new GatewayError('endpoint_not_found', `Nothing is served here. Supported: ${SERVED_ENDPOINTS.join(', ')}.`)
}
