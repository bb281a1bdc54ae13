import { GatewayError } from '../../lib/errors/errors.ts'

/** The endpoints of this service, listed in the message of every 404. */
export const SERVED_ENDPOINTS = [
  'POST /mcp',
  'GET /connectors',
  'GET /connectors/:id',
  'DELETE /connectors/:id',
  'PATCH /connectors/:id/accounts/:accountId',
  'DELETE /connectors/:id/accounts/:accountId',
  'POST /connectors/org',
  'GET /connectors/org/:slug',
  'DELETE /connectors/org/:slug',
  'POST /connectors/org/:slug/refresh',
  'GET /artifacts/:id',
  'GET /icons/:file',
  'GET /',
  'GET /health',
  'GET /version',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-client-metadata',
] as const

/** The only 404: for unknown paths, and for IDs that do not exist, are not offered, or belong to another tenant. */
export function endpointNotFound(): GatewayError {
  return new GatewayError('endpoint_not_found', `Endpoint not found. Use one of: ${SERVED_ENDPOINTS.join(', ')}.`)
}
