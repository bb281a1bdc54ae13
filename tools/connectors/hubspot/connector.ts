import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { VERSION } from './arguments.ts'
import { activityTools } from './tools/activities.ts'
import { kindTools } from './tools/record-kinds.ts'
import { accountTools, recordTools } from './tools/records.ts'

/** HubSpot's CRM, in its API of September 2026. An account is one HubSpot account, which HubSpot also calls a hub or portal. */
export const hubspot = defineConnector({
  id: 'hubspot',
  name: 'HubSpot',
  category: 'business',
  description:
    'Search, read, create and update contacts, companies, deals and tickets with their properties; associate them; notes, tasks, calls and meetings; pipelines and owners.',
  icon: { simpleIcon: 'hubspot' },
  baseUrl: 'https://api.hubapi.com',
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: `https://api.hubapi.com/oauth/${VERSION}/token`,
    pkce: 'none',
    clientAuth: 'post',
    // All of them are required: HubSpot rejects an optional scope outside of its own parameter.
    scopes: {
      oauth: 'Know which HubSpot account it is.',
      'crm.objects.contacts.read': 'See contacts, and their notes, tasks, calls and meetings.',
      'crm.objects.contacts.write': 'Create and change contacts, notes, tasks, calls and meetings.',
      'crm.objects.companies.read': 'See companies.',
      'crm.objects.companies.write': 'Create and change companies.',
      'crm.objects.deals.read': 'See deals.',
      'crm.objects.deals.write': 'Create and change deals.',
      'crm.objects.owners.read': 'See the people who own records.',
      tickets: 'See, create and change tickets.',
    },
    revocation: {
      url: `/oauth/${VERSION}/token/revoke`,
      method: 'POST',
      as: 'client-post',
      form: { token: '{refresh_token}', token_type_hint: 'refresh_token' },
    },
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'A service key of your account: Development, Keys, Service keys. Give it the CRM scopes that you need. The token of a private app made before October 2026 works too.',
    },
  },
  oauthApp: {
    url: 'https://app.hubspot.com/l/developer-overview',
    docs: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/create-an-app',
    steps: [
      'Create an app in a project of the developer platform, with the authentication type `oauth`.',
      'Enter the scopes as *required scopes* of the app, exactly the ones below: HubSpot rejects a connection that asks for others.',
      'Upload the project. The client ID and the client secret are on the *Auth* tab of the app.',
    ],
    redirectUris: 'An app has several redirect URLs. They use `https`, except those of `localhost`.',
    review: 'A listing in the HubSpot Marketplace is reviewed.',
    limits:
      'An app with private distribution connects to 10 HubSpot accounts, one with marketplace distribution to 25 before it is listed.',
    notes: ['Only a super admin, or a person who may install apps, can connect a HubSpot account.'],
  },
  identity: { request: { url: `/account-info/${VERSION}/details` }, label: 'HubSpot {/portalId}', key: '{/portalId}' },
  errors: {
    message: ['/message'],
    code: ['/category', '/errorType'],
    unauthorized: ['EXPIRED_AUTHENTICATION', 'INVALID_AUTHENTICATION'],
    rateLimited: ['RATE_LIMITS', 'RATE_LIMIT'],
    scopeMissing: ['MISSING_SCOPES'],
    advice: {
      VALIDATION_ERROR:
        'Check the names and values with list_properties and get_property. An admin may require properties: give those that the message names.',
      CONFLICT: 'This record already exists. Search for it, then update it.',
      OBJECT_NOT_FOUND: 'Check the ID, and that the record was not archived.',
    },
  },
  tools: [...kindTools, ...recordTools, ...activityTools, ...accountTools],
})
