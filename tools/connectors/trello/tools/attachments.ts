import { Type } from '@sinclair/typebox'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, reads } from '../../annotations.ts'
import { card } from '../arguments.ts'

const listAttachments = httpTool({
  operation: 'list_attachments',
  title: 'List attachments',
  description: 'List the files and links on a card: name, URL, type and size.',
  annotations: reads,
  input: { card },
  request: { method: 'GET', path: '/cards/{card}/attachments', query: { fields: 'name,url,mimeType,bytes,date' } },
  result: pick('', ['id', 'name', 'url', 'mimeType', 'bytes', 'date']),
})

const attachLink = httpTool({
  operation: 'attach_link',
  title: 'Attach link',
  description: 'Attach a link to a card.',
  annotations: adds,
  input: {
    card,
    url: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  },
  request: { method: 'POST', path: '/cards/{card}/attachments', body: { json: sameNames('url', 'name') } },
  result: pick('', ['id', 'name', 'url']),
})

/** Trello tools for attachments. */
export const attachmentTools = [listAttachments, attachLink]
