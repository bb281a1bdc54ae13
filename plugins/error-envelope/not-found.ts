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
  'PATCH /connectors/org/:slug',
  'DELETE /connectors/org/:slug',
  'POST /connectors/org/:slug/refresh',
  'POST /connectors/org/:slug/confirm',
  'POST /connectors/org/:slug/credential',
  'POST /connectors/org/:slug/credential/authorization',
  'POST /connectors/org/callback',
  'DELETE /connectors/org/:slug/credential',
  'GET /plans',
  'POST /checkout/topup',
  'POST /checkout/subscribe',
  'POST /customers',
  'GET /customers/me',
  'GET /customers/me/billing-profile',
  'PATCH /customers/me/billing-profile',
  'GET /customers/me/payment-methods',
  'POST /customers/me/payment-methods',
  'DELETE /customers/me/payment-methods/:id',
  'GET /customers/me/wallet',
  'GET /customers/me/transactions',
  'GET /customers/me/auto-topup',
  'PATCH /customers/me/auto-topup',
  'POST /webhooks/stripe',
  'GET /me',
  'PATCH /me',
  'GET /members',
  'PATCH /members/:userId',
  'DELETE /members/:userId',
  'GET /invitations',
  'POST /invitations',
  'POST /invitations/accept',
  'DELETE /invitations/:id',
  'GET /agents',
  'POST /agents',
  'GET /agents/:id',
  'PATCH /agents/:id',
  'DELETE /agents/:id',
  'POST /agents/:id/sign-ins',
  'DELETE /agents/:id/sign-ins/:signInId',
  'GET /api-keys',
  'POST /api-keys',
  'PATCH /api-keys/:id',
  'DELETE /api-keys/:id',
  'POST /api-keys/:id/rotate',
  'POST /api-keys/claim',
  'GET /usage',
  'GET /audit',
  'GET /artifacts/:id',
  'PUT /artifacts/:id',
  'GET /icons/:file',
  'GET /',
  'GET /health',
  'GET /version',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-client-metadata',
] as const

/** The 404 for unknown paths, and for IDs that do not exist, are not offered, or belong to another tenant. */
export function endpointNotFound(): GatewayError {
  return new GatewayError('endpoint_not_found', `Endpoint not found. Use one of: ${SERVED_ENDPOINTS.join(', ')}.`)
}

/** The 404 of a signed URL: an altered one, an expired one and that of a file that is gone have the same answer. */
export function signedUrlNotFound(advice: string): GatewayError {
  return new GatewayError('endpoint_not_found', `This URL was altered or has expired. ${advice}`)
}
