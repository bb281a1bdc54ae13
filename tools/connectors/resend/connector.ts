import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { audienceTools, suppressionTools } from './tools/audience.ts'
import { emailTools } from './tools/emails.ts'
import { broadcastTools, sendingTools, templateTools } from './tools/sending.ts'

/**
 * Resend's API, connected with an API key. No request names the account, and a key can be restricted to sending. Source:
 * Resend's API reference, Errors and Rate limit.
 */
export const resend = defineConnector({
  id: 'resend',
  name: 'Resend',
  category: 'communication',
  description:
    'Send and schedule email, track delivery, read received email, and manage domains, templates, contacts, segments, ' +
    'topics and broadcasts.',
  icon: { simpleIcon: 'resend' },
  baseUrl: 'https://api.resend.com',
  // Links to attachments are signed, and need no key.
  hosts: {
    outbound: { url: 'https://outbound-cdn.resend.com', credential: false },
    inbound: { url: 'https://inbound-cdn.resend.com', credential: false },
  },
  auth: {
    type: 'api_key',
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      begins: 're_',
      probe: { url: '/domains', query: { limit: '1' } },
      hint: 'An API key (re_…) from https://resend.com/api-keys. A key with sending access can only send.',
    },
  },
  headers: { accept: 'application/json' },
  errors: {
    message: ['/message'],
    code: ['/name'],
    unauthorized: ['missing_api_key', 'invalid_api_key'],
    // Sent with the code of any invalid request: 400, and 401 for requests that send.
    unauthorizedMessage: '^API key is invalid',
    rateLimited: ['rate_limit_exceeded', 'daily_quota_exceeded', 'monthly_quota_exceeded'],
    scopeMissing: ['restricted_api_key'],
    advice: {
      restricted_api_key: 'Connect a key with full access.',
      suspended_api_key: 'Ask Resend why the key is suspended, or connect another one.',
      resource_locked: 'Another request is changing the same object. Try again in a moment.',
      daily_quota_exceeded: 'The daily email quota of the plan is used up. Try again tomorrow.',
      monthly_quota_exceeded:
        'The monthly email quota of the plan is used up. Upgrade the plan, or wait for the next month.',
    },
  },
  rateLimit: { reset: 'ratelimit-reset', unit: 'seconds' },
  idempotency: { header: 'idempotency-key', paths: ['/emails', '/emails/batch'] },
  tools: [...sendingTools, ...emailTools, ...templateTools, ...audienceTools, ...broadcastTools, ...suppressionTools],
})
