import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import type { HttpTool } from '../../services/definitions/http-tool-types.ts'
import { MICROSOFT } from './microsoft-descriptions.ts'
import { indexOf } from './vendor-documents.ts'

/** A received HTTP request with its parsed body. */
export interface SentRequest {
  method: string
  /** Below the connector's base URL, percent-encoded. */
  path: string
  query: Record<string, string | string[]>
  headers: Record<string, string>
  body: unknown
}

/** A difference of a tool from an outdated description. */
export interface Departure {
  reason: string
  /** The description lacks the operation; a handwritten exchange covers it. */
  undescribed?: true
  /** Parts of the request that the description lacks: `body`, `body.name`, `query.name`. */
  unknown?: readonly string[]
  /** Query parameters that only the description requires. */
  optional?: readonly string[]
  /** Fields of the answer that the description lacks. */
  fields?: readonly string[]
}

/** A provider's description and how to read it. */
export interface Description {
  file: string
  /** The path of the connector's base URL that the described server lacks: that of a gateway. */
  gateway?: string
  /** The depth to which references of answers are followed. */
  responseDepth: number
  /** Why scalars may differ from the described types; absent if they may not. */
  loosely?: string
  /** For every operation: parameters that are never sent, with the reason. */
  stripped?: { parameters: readonly string[]; reason: string }
  /** Members of bodies that only the description requires, with the reason. */
  notRequired?: { members: readonly string[]; reason: string }
  /** Converts the path of a tool to that of the description, if the provider has renamed them since. */
  pathOf?: (path: string) => string
  /** The query parameter that asks for fields: the answers may have every field that it may name. */
  asksFor?: string
  /** Why a value may match several schemas of `oneOf`; absent if it may not. */
  overlapping?: string
  /** Converts a request to the description's terms. */
  translate?: (request: SentRequest) => void
  departures: Readonly<Record<string, Departure>>
  /** Why it lacks most operations; handwritten exchanges cover the others. */
  undescribed?: string
}

const MESSAGES: Departure = {
  reason: 'its description lists only some fields of messages',
  fields: ['bot_id', 'username', 'subtype', 'reactions.name', 'reactions.count', 'files.id', 'files.name'],
}

const OWNER: Departure = { reason: 'the description names the owner only as a whole', fields: ['owner.name'] }
const MULTIPART: Departure = { reason: 'bodies of several parts are not compared with descriptions', undescribed: true }
const CREATED_RANGE: Departure = {
  reason: 'its description gives the range of days the format of a time',
  unknown: ['query.created'],
}

const JOB_FIELDS = ['failure_reason', 'pipeline.id', 'pipeline.status']

/** All connectors with a description, by ID. */
export const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  ...MICROSOFT,
  asana: {
    file: 'asana.yaml',
    responseDepth: 4,
    asksFor: 'opt_fields',
    // The description names the owner of a project only as a whole. null for a parent is in the text of its operation.
    translate: ({ query, body }) => {
      if (typeof query.opt_fields === 'string') query.opt_fields = query.opt_fields.replace('owner.name', 'owner')
      const { data } = Object(body)
      if (data?.parent === null) data.parent = 'none'
    },
    departures: {
      list_assigned_tasks: {
        reason: 'the description takes now only where the tasks of a project are listed',
        unknown: ['query.completed_since'],
      },
      search_tasks: { reason: 'the limit is only in the text of its operation', unknown: ['query.limit'] },
      list_projects: OWNER,
      list_team_projects: OWNER,
      upload_attachment: MULTIPART,
      attach_link: MULTIPART,
    },
  },
  confluence: {
    file: 'confluence.json',
    gateway: '/ex/confluence/%7Bsettings.cloud_id%7D',
    responseDepth: 3,
    translate: request => {
      request.path = request.path.replace('/wiki/api/v2', '')
    },
    overlapping: 'each of the two forms in which it describes a body accepts any object',
    departures: {},
    undescribed: 'its description is of version 2; handwritten exchanges cover the tools of version 1',
  },
  github: {
    file: 'github.json',
    responseDepth: 3,
    translate: request => {
      // The part after `contents/` is one parameter of the description. On the wire it contains slashes, or is empty.
      request.path = request.path.replace(/(?<=\/contents\/).*$/, rest => rest.replaceAll('/', '%2F') || '%2F')
      // A file has its own type. The description has one for all.
      if (request.method === 'POST' && request.path.endsWith('/assets'))
        request.headers['content-type'] = 'application/octet-stream'
      // Either a number or a text, and Prism reads digits as both.
      request.path = request.path.replace(/(?<=\/workflows\/)[^/]+(?=\/)/, 'ci.yml')
    },
    departures: {
      list_workflow_runs: CREATED_RANGE,
      list_runs_of_workflow: CREATED_RANGE,
    },
  },
  gitlab: {
    file: 'gitlab.yaml',
    responseDepth: 3,
    // The description takes projects by ID only where it is about jobs. GitLab takes paths everywhere. It takes any
    // token as a bearer token too: https://docs.gitlab.com/api/rest/authentication/
    translate: request => {
      const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
      if (token !== undefined) request.headers['private-token'] = token
      request.path = request.path.replace(/(?<=^\/projects\/)[^/]+(?=\/jobs)/, '1')
    },
    departures: {
      list_jobs: {
        reason: 'the description leaves out paging and some fields',
        unknown: ['query.per_page', 'query.page'],
        fields: JOB_FIELDS,
      },
      get_job: { reason: 'the description leaves out some fields', fields: JOB_FIELDS },
    },
    undescribed: 'its description has branches and jobs only; handwritten exchanges cover the others',
  },
  gmail: {
    file: 'gmail.swagger.json',
    responseDepth: 4,
    translate: request => {
      // The description gives operations that also exist as uploads only the types of messages.
      const sent = `${request.headers['content-type']} ${request.method} ${request.path}`
      if (/^application\/json (POST|PUT) .*\/(send|drafts|drafts\/[^/]+)$/.test(sent))
        request.headers['content-type'] = 'message/rfc822'
      // Its format is the usual Base64. Gmail's guide says base64url.
      const message = (request.body as { message?: { raw?: string } } | undefined)?.message ?? request.body
      const { raw } = Object(message)
      if (typeof raw === 'string')
        Object.assign(message as object, { raw: Buffer.from(raw, 'base64url').toString('base64') })
    },
    departures: {},
  },
  'google-calendar': {
    file: 'google-calendar.swagger.json',
    responseDepth: 3,
    // https://developers.google.com/workspace/calendar/api/guides/performance#patch: null removes a field. Google's
    // descriptions never say so.
    translate: ({ method, body }) => {
      if (method !== 'PATCH') return
      for (const part of [body, Object(body).start, Object(body).end])
        for (const [name, value] of Object.entries(Object(part))) if (value === null) Reflect.deleteProperty(part, name)
    },
    departures: {},
  },
  'google-drive': {
    file: 'google-drive.swagger.json',
    responseDepth: 3,
    translate: request => {
      request.path = request.path.replace('/drive/v3', '')
      // These parameters belong to every path of the description, not to its operations.
      for (const name of ['alt', 'fields']) Reflect.deleteProperty(request.query, name)
      // The description gives operations that also exist as uploads only the type of files.
      const sent = `${request.headers['content-type']} ${request.method} ${request.path}`
      if (/^application\/json (POST \/files|PATCH \/files\/[^/]+)$/.test(sent))
        request.headers['content-type'] = 'application/octet-stream'
    },
    departures: {
      upload_content: { reason: 'the description has no uploads', undescribed: true },
    },
  },
  hubspot: {
    file: 'hubspot.yaml',
    responseDepth: 3,
    // The description (2021) is of version 3, whose paths end in September 2027. The connector uses version 2026-09:
    // https://developers.hubspot.com/docs/api-reference/legacy/migration-guide (2026-11-25).
    pathOf: dated,
    notRequired: {
      members: ['after', 'filterGroups', 'limit', 'properties', 'sorts'],
      reason: 'an empty search finds everything: https://developers.hubspot.com/docs/api/crm/search (2026-11-25)',
    },
    translate: request => {
      request.path = dated(request.path)
      const body = request.body as { sorts?: unknown[]; after?: string } | undefined
      // The guide of the search writes objects here, and positions as they came.
      if (body?.sorts !== undefined) body.sorts = body.sorts.map(String)
      if (body?.after !== undefined) Object.assign(body, { after: Number(body.after) })
    },
    departures: {
      search_contacts: { reason: 'records have their address since', fields: ['url'] },
      get_contact: { reason: 'records have their address since', fields: ['url'] },
      create_contact: {
        reason: 'records are created with associations, and have their address since',
        unknown: ['body.associations'],
        fields: ['url'],
      },
      update_contact: { reason: 'records have their address since', fields: ['url'] },
    },
    undescribed: 'its description has contacts only; handwritten exchanges cover the other records, which work alike',
  },
  salesforce: {
    file: 'salesforce.yaml',
    responseDepth: 3,
    pathOf: path => path.replace('/v67.0', '/v{version}'),
    translate: request => {
      // The description leaves out the path of further pages: the nextRecordsUrl of an answer.
      request.path = request.path.replace(/\/query\/.*/, '/query')
    },
    departures: {
      query_records: { reason: 'further pages have a path of their own, and no query', optional: ['q'] },
    },
    undescribed: 'its description has queries, objects and records only; handwritten exchanges cover the others',
  },
  slack: {
    file: 'slack.json',
    responseDepth: 3,
    loosely: 'its description (2020) is of forms, and types many numbers as text',
    stripped: { parameters: ['token'], reason: 'the token goes into the Authorization header' },
    departures: {
      read_channel: MESSAGES,
      read_thread: MESSAGES,
      send_direct_message: { reason: 'it sends two requests', undescribed: true },
      download_file: { reason: 'it sends two requests', undescribed: true },
      upload_file: { reason: 'its requests are newer than the description', undescribed: true },
    },
  },
  trello: {
    file: 'trello.yaml',
    responseDepth: 2,
    loosely: 'its description types every member as text',
    translate: request => {
      const { authorization = '' } = request.headers
      const of = (name: string) => new RegExp(`^OAuth .*${name}="([^"]+)"`).exec(authorization)?.[1]
      const [key, token, signature] = ['oauth_consumer_key', 'oauth_token', 'oauth_signature'].map(of)
      // The description has the key and the token only in the query. A signed header carries the same.
      if (key !== undefined && token !== undefined && signature !== undefined)
        Object.assign(request.query, { key, token })
    },
    departures: {
      search_cards: {
        reason: 'idOrganizations narrows a search and is not required',
        optional: ['idOrganizations'],
      },
      attach_file: {
        reason: 'the description has the file in the query, which cannot carry one; Trello reads a form',
        undescribed: true,
      },
      update_card: { reason: 'cards can be marked as done since', unknown: ['body.dueComplete'] },
      update_checklist_item: {
        reason: 'items are changed without their checklist since: PUT /cards/{id}/checkItem/{idCheckItem}',
        undescribed: true,
      },
    },
  },
  stripe: {
    file: 'stripe.yaml',
    responseDepth: 3,
    departures: {
      upload_dispute_file: { reason: 'it goes to another host', undescribed: true },
    },
  },
  resend: {
    file: 'resend.json',
    responseDepth: 3,
    // resend-node, src/contacts/interfaces/update-contact.interface.ts: null clears the names of a contact.
    translate: ({ method, query, body }) => {
      // The cursors of these tests are no IDs of Resend.
      if (query.after !== undefined) query.after = '4ef9a417-02e9-4d39-ad75-9611e0fcc33c'
      if (method !== 'PATCH' || typeof body !== 'object' || body === null) return
      for (const [name, value] of Object.entries(body)) if (value === null) Reflect.deleteProperty(body, name)
    },
    departures: {
      send_template: { reason: 'a template may have the sender and the subject', undescribed: true },
      download_email_attachment: { reason: 'it sends two requests', undescribed: true },
      download_received_attachment: { reason: 'it sends two requests', undescribed: true },
      get_received_email: {
        reason: 'the format of its HTML and the results of its checks are newer than the description',
        unknown: ['query.html_format'],
        fields: ['received_for', 'authentication.spf', 'authentication.dkim', 'authentication.dmarc'],
      },
      update_contact_topics: {
        reason: 'the API takes a list, not an object with a list: resend-node, src/contacts/topics/contact-topics.ts',
        undescribed: true,
      },
      list_emails: { reason: 'emails tell when they are scheduled', fields: ['scheduled_at'] },
      get_email: { reason: 'emails tell when they are scheduled', fields: ['scheduled_at'] },
      create_segment: { reason: 'the API answers the name too', fields: ['name'] },
      reschedule_email: {
        reason: 'the description forgets the body of PATCH /emails/{email_id}, and gives it for the answer',
        unknown: ['body'],
        fields: ['id'],
      },
    },
  },
}

/** A path of HubSpot's version 2026-09 in version 3. */
function dated(path: string): string {
  return path.replace('/crm/objects/2026-09/', '/crm/v3/objects/')
}

/** Connectors with a GraphQL schema. Another test checks every tool against it. */
export const GRAPHQL_SCHEMAS = { linear: 'linear.graphql' } as const

/** Returns the operation of a description that a tool's request matches; undefined if there is none. */
export function operationOf(
  { id, baseUrl }: ConnectorDefinition,
  { operation, request }: HttpTool,
): string | undefined {
  const description = DESCRIPTIONS[id]
  if (description === undefined || description.departures[operation]?.undescribed) return undefined
  const { basePath, operations } = indexOf(description.file)
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const path = `${base.slice(description.gateway?.length)}${request.path}`
  const sent = description.pathOf?.(path) ?? path
  return operations
    .filter(described => {
      const [method, path = ''] = described.split(' ')
      return method === request.method && matches(basePath + path, sent)
    })
    .sort((a, b) => places(a) - places(b))[0]
}

/** A literal of the description must be equal; a placeholder accepts a placeholder or a literal of the tool. */
function matches(described: string, sent: string): boolean {
  const [left, right] = [described.split('/'), sent.split('/')]
  return left.length === right.length && left.every((step, i) => isPlace(step) || step === right[i])
}

function places(path: string): number {
  return path.split('/').filter(isPlace).length
}

function isPlace(step: string): boolean {
  return step.startsWith('{')
}
