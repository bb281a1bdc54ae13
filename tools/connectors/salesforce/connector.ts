import { Type } from '@sinclair/typebox'
import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { customerTools } from './tools/customers.ts'
import { recordTools } from './tools/records.ts'

/** Salesforce's REST API, on the host of the account's org. An account is one user of one org. */
export const salesforce = defineConnector({
  id: 'salesforce',
  name: 'Salesforce',
  category: 'business',
  description:
    'Query with SOQL, search, describe objects; read, create, update and delete records of any kind; accounts, contacts, leads, opportunities and cases; tasks, calls and events.',
  icon: { monogram: 'Sf', color: '#00a1e0' },
  baseUrl: 'https://{settings.instance_url}',
  // Otherwise the rules of the organization assign new and changed accounts, cases and leads, and override owner_id.
  // https://developer.salesforce.com/docs/platform/api-rest/guide/headers-autoassign.html
  headers: { 'sforce-auto-assign': 'FALSE' },
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://{settings.login}.salesforce.com/services/oauth2/authorize',
    tokenUrl: 'https://{settings.login}.salesforce.com/services/oauth2/token',
    pkce: 'required',
    clientAuth: 'post',
    scopes: {
      id: 'Know who you are: name, email address and organization.',
      api: 'Read and change the records that you can see and change in Salesforce.',
      refresh_token: 'Stay connected while you are away.',
    },
    // The answer does not say when a token expires: a request that is rejected with 401 renews it.
    quirks: { keep: { instance_url: '/instance_url' } },
    revocation: {
      url: '/services/oauth2/revoke',
      method: 'POST',
      as: 'token',
      form: { token: '{refresh_token}' },
    },
  },
  oauthApp: {
    url: 'https://login.salesforce.com/',
    docs: 'https://help.salesforce.com/s/articleView?id=xcloud.external_client_apps.htm',
    steps: [
      'In *Setup*, open *External Client App Manager* and create an external client app. Connected apps can no longer be created.',
      'Choose *Packaged* as its distribution state if it is for other organizations of Salesforce than your own, else *Local*.',
      'Enable OAuth, and enter the callback URLs and the scopes.',
      'Keep *Require secret for Web Server Flow*, *Require secret for Refresh Token Flow* and *Require Proof Key for Code Exchange (PKCE)*.',
      'The consumer key is the client ID, the consumer secret the client secret.',
    ],
    limits:
      'Salesforce blocks apps that are not installed in an organization, except for users with a permission of its administrators: have them install the app first.',
    notes: [
      'An organization needs an edition with access to the API.',
      'For a sandbox, people enter `test` as *Login*, or the name of their own domain, such as `acme--uat.sandbox.my`.',
    ],
  },
  settings: Type.Object(
    {
      login: Type.Optional(
        Type.String({
          pattern: '^(login|test|[a-z0-9][a-z0-9-]*(\\.[a-z]+)?\\.my)$',
          default: 'login',
          description:
            'Where you sign in, without .salesforce.com: test for a sandbox, or your own domain, such as acme.my or acme--uat.sandbox.my. Default: login.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  identity: {
    request: { url: '/services/oauth2/userinfo' },
    label: '{/preferred_username}',
    key: '{/organization_id}/{/user_id}',
  },
  errors: {
    // Errors are lists.
    message: ['/0/message'],
    code: ['/0/errorCode'],
    unauthorized: ['INVALID_SESSION_ID'],
    rateLimited: ['REQUEST_LIMIT_EXCEEDED'],
    advice: {
      MALFORMED_QUERY: 'Correct the SOQL. Put texts in single quotes, and use API names from describe_object.',
      INVALID_FIELD: 'Check the API names with describe_object. You may not be allowed to see every field.',
      INVALID_TYPE: 'Check the name of the object with list_objects. You may not be allowed to use it.',
      REQUIRED_FIELD_MISSING: 'Also give these fields in other_fields or fields.',
      DUPLICATES_DETECTED: 'This record already exists. Search for it, then update it.',
      UNABLE_TO_LOCK_ROW: 'Someone else is changing the record. Retry later.',
      ENTITY_IS_DELETED: 'The record was deleted. It can be restored from the recycle bin of Salesforce.',
      API_DISABLED_FOR_ORG: 'The edition of this organization has no access to the API.',
    },
  },
  tools: [...recordTools, ...customerTools],
})
