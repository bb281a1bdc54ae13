import { named, oneOf, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { asked, listOf, listPages, project, scopes } from '../arguments.ts'

const statusFields = 'gid title text status_type created_at created_by { gid name }'
const parent = named('project', project)

const listStatusUpdates = tool('list_status_updates: GET /status_updates', {
  title: 'List status updates',
  description: 'List the status updates of a project, the newest first.',
  scopes,
  query: { parent, ...listOf(statusFields) },
  pagination: listPages,
  keep: statusFields,
})

const postStatusUpdate = tool('post_status_update: POST /status_updates', {
  title: 'Post a status update',
  description: 'Report how a project goes. Its members are notified, and it becomes the status of the project.',
  scopes,
  query: { opt_fields: asked(statusFields) },
  json: {
    data: {
      parent,
      status_type: named('status', oneOf(['on_track', 'at_risk', 'off_track', 'on_hold', 'complete'])),
      title: text('The title.', 1024),
      text: text('The report, as plain text.', 60_000),
    },
  },
  at: '/data',
  keep: statusFields,
})

/** Asana's tools for the status of projects. */
export const statusUpdateTools = [listStatusUpdates, postStatusUpdate]
