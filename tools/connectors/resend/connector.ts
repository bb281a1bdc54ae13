import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { broadcastTools } from './tools/broadcasts.ts'
import { contactTools } from './tools/contacts.ts'
import { domainTools } from './tools/domains.ts'
import { emailTools } from './tools/emails.ts'

/** A pasted key that may be for sending alone, so nothing is asked of the provider to check it. Source: Resend's API reference, Errors and Rate limit. */
export const resend = defineConnector({
  id: 'resend',
  name: 'Resend',
  category: 'communication',
  description: 'Send and schedule email, see what became of it, and keep domains, contacts, segments and broadcasts.',
  icon: { simpleIcon: 'resend' },
  baseUrl: 'https://api.resend.com',
  auth: {
    type: 'api_key',
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: false,
      hint: 'An API key (re_…), made at https://resend.com/api-keys. One with sending access only can send, and nothing else.',
    },
  },
  headers: { accept: 'application/json' },
  errors: {
    message: ['/message'],
    code: ['/name'],
    unauthorized: ['missing_api_key', 'invalid_api_key'],
    rateLimited: ['rate_limit_exceeded', 'daily_quota_exceeded', 'monthly_quota_exceeded'],
    scopeMissing: ['restricted_api_key'],
    advice: {
      restricted_api_key: 'Connect a key with full access.',
      daily_quota_exceeded: "The plan's emails of today are used up.",
      monthly_quota_exceeded: "The plan's emails of this month are used up.",
    },
  },
  rateLimit: { reset: 'ratelimit-reset', unit: 'seconds' },
  idempotency: { header: 'idempotency-key', paths: ['/emails'] },
  tools: [...emailTools, ...domainTools, ...contactTools, ...broadcastTools],
})
