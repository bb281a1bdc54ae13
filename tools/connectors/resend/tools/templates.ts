import { Type } from '@sinclair/typebox'
import { list, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { sets } from '../../annotations.ts'
import { from, html, listPages, listQuery, recipients } from '../arguments.ts'

const path = { template: text('The ID or alias of the template, from list_templates.', 255) }
const variable = Type.Object(
  {
    key: text('PRODUCT_NAME', 50, { pattern: '^[A-Za-z0-9_]+$' }),
    type: oneOf(['string', 'number']),
    fallback_value: optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Number()])),
  },
  { additionalProperties: false },
)
const content = {
  html: { ...html, description: 'The HTML. A variable is written as {{{PRODUCT_NAME}}}.' },
  subject: optional(text('The subject, unless a sender gives one.', 998)),
  from: optional(from),
  reply_to: optional(recipients('Email addresses for replies.')),
  text: optional(Type.String({ minLength: 1, description: 'Default: derived from html.' })),
  alias: optional(text('A name for use in place of the ID: welcome-email.', 255)),
  variables: optional(
    list(variable, 'All variables of the HTML. One without fallback_value needs a value for each email.', 50),
  ),
}
const name = text('', 255)

const listTemplates = tool('list_templates: GET /templates', {
  title: 'List templates',
  description: 'List email templates: ID, alias, name and status. Only published ones can be sent, with send_template.',
  query: listQuery,
  pagination: listPages,
  keep: 'id name alias status published_at created_at updated_at',
})

const getTemplate = tool('get_template: GET /templates/{template}', {
  title: 'Get template',
  description: 'Read one template: subject, HTML, text and variables.',
  path,
  keep: `id name alias status from subject reply_to html text variables { key type fallback_value } published_at
    has_unpublished_versions created_at updated_at`,
})

const createTemplate = tool('create_template: POST /templates', {
  title: 'Create template',
  description: 'Draft an email template. Returns its ID. Publish it with publish_template before it is sent.',
  json: { name, ...content },
  keep: 'id',
})

const updateTemplate = tool('update_template: PATCH /templates/{template}', {
  title: 'Update template',
  description: 'Change the draft of a template. Emails use it after publish_template. Omitted fields stay unchanged.',
  path,
  json: { name: optional(name), ...content, html: optional(content.html) },
  keep: 'id',
})

const publishTemplate = tool('publish_template: POST /templates/{template}/publish', {
  title: 'Publish template',
  description: 'Publish the draft of a template. From now on, emails use it.',
  annotations: { ...sets, destructiveHint: true },
  path,
  keep: 'id',
})

const duplicateTemplate = tool('duplicate_template: POST /templates/{template}/duplicate', {
  title: 'Duplicate template',
  description: 'Copy a template as a new draft. Returns its ID.',
  path,
  keep: 'id',
})

const deleteTemplate = tool('delete_template: DELETE /templates/{template}', {
  title: 'Delete template',
  description: 'Delete a template permanently.',
  path,
  keep: 'id deleted',
})

/** Resend tools for templates. */
export const templateTools = [
  listTemplates,
  getTemplate,
  createTemplate,
  updateTemplate,
  publishTemplate,
  duplicateTemplate,
  deleteTemplate,
]
