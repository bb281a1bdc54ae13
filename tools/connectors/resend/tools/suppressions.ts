import { oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { sets } from '../../annotations.ts'
import { listPages, listQuery } from '../arguments.ts'

const path = {
  suppression: text('The ID of the suppression (from list_suppressions), or the email address.', 320, { min: 3 }),
}
const fields = 'id email origin source_id created_at'

const listSuppressions = tool('list_suppressions: GET /suppressions', {
  title: 'List suppressions',
  description: 'List the addresses to which Resend sends nothing, and why: a bounce, a complaint, or added by hand.',
  query: { origin: optional(oneOf(['bounce', 'complaint', 'manual'], 'Only these.')), ...listQuery },
  pagination: listPages,
  keep: fields,
})

const getSuppression = tool('get_suppression: GET /suppressions/{suppression}', {
  title: 'Get suppression',
  description: 'Read why Resend sends nothing to an address. An address that is not found gets email.',
  path,
  keep: fields,
})

const createSuppression = tool('create_suppression: POST /suppressions', {
  title: 'Create suppression',
  description: 'Send nothing more to an address.',
  annotations: sets,
  json: { email: text('', 320, { min: 3 }) },
  keep: 'id',
})

const deleteSuppression = tool('delete_suppression: DELETE /suppressions/{suppression}', {
  title: 'Delete suppression',
  description: 'Allow email to an address again. After a complaint, only do it if the person asks for it.',
  path,
  keep: 'id deleted',
})

/** Resend tools for addresses that get no email. */
export const suppressionTools = [listSuppressions, getSuppression, createSuppression, deleteSuppression]
