import { text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { listPages, listQuery, segment } from '../arguments.ts'

const listSegments = tool('list_segments: GET /segments', {
  title: 'List segments',
  description: 'List the segments (formerly audiences) of contacts: ID and name.',
  query: listQuery,
  pagination: listPages,
  keep: 'id name created_at',
})

const createSegment = tool('create_segment: POST /segments', {
  title: 'Create segment',
  description: 'Add an empty segment. Returns its ID for add_contact_to_segment and create_broadcast.',
  json: { name: text('', 255) },
  keep: 'id name',
})

const deleteSegment = tool('delete_segment: DELETE /segments/{segment}', {
  title: 'Delete segment',
  description: 'Delete a segment permanently. Its contacts stay.',
  path: { segment },
  keep: 'id deleted',
})

/** Resend tools for segments: lists of contacts. */
export const segmentTools = [listSegments, createSegment, deleteSegment]
