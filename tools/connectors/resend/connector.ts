import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { broadcastTools } from './tools/broadcasts.ts'
import { contactTools } from './tools/contacts.ts'
import { domainTools } from './tools/domains.ts'
import { emailTools } from './tools/emails.ts'
import { receivedTools } from './tools/received.ts'
import { segmentTools } from './tools/segments.ts'
import { sendingTools } from './tools/sending.ts'
import { suppressionTools } from './tools/suppressions.ts'
import { templateTools } from './tools/templates.ts'
import { topicTools } from './tools/topics.ts'

/**
 * Resend's API, connected with an API key. A key can be restricted to sending, so no probe checks it. Source: Resend's API
 * reference, Errors and Rate limit.
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
      probe: false,
      hint: 'An API key (re_…) from https://resend.com/api-keys. A key with sending access can only send.',
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
      suspended_api_key: 'Ask Resend why the key is suspended, or connect another one.',
      resource_locked: 'Another request is changing the same object. Try again in a moment.',
      daily_quota_exceeded: 'The daily email quota of the plan is used up. Try again tomorrow.',
      monthly_quota_exceeded:
        'The monthly email quota of the plan is used up. Upgrade the plan, or wait for the next month.',
    },
  },
  rateLimit: { reset: 'ratelimit-reset', unit: 'seconds' },
  idempotency: { header: 'idempotency-key', paths: ['/emails', '/emails/batch'] },
  tools: [
    ...sendingTools,
    ...emailTools,
    ...receivedTools,
    ...domainTools,
    ...templateTools,
    ...contactTools,
    ...segmentTools,
    ...topicTools,
    ...broadcastTools,
    ...suppressionTools,
  ],
})
