import { list, members, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { DATA, FIELDS, object, record_id, scopes } from '../arguments.ts'

const RECORD = `${DATA}/sobjects/{object}/{record_id}`
const written = (description: string) =>
  named('fields', { ...members(`${description} ${FIELDS}`, 200), minProperties: 1 })

const getRecord = tool(`get_record: GET ${RECORD}`, {
  title: 'Get a record',
  description: 'Read one record of any kind: the fields you name, else all of them.',
  scopes,
  path: { object, record_id },
  query: {
    fields: {
      $join: optional(
        list(text('', 255, { pattern: '^[A-Za-z][A-Za-z0-9_.]*$' }), 'API names, from describe_object.', 200),
      ),
      separator: ',',
    },
  },
})

const createRecord = tool(`create_record: POST ${DATA}/sobjects/{object}`, {
  title: 'Create a record',
  description:
    'Create a record of any kind. Learn its fields with describe_object first. For accounts, contacts, leads, opportunities, cases and tasks ' +
    'there are tools of their own. Returns its ID.',
  scopes,
  path: { object },
  json: { '...': written('The fields') },
  keep: 'id success',
})

const updateRecord = tool(`update_record: PATCH ${RECORD}`, {
  title: 'Update a record',
  description:
    'Update fields of a record of any kind: move an opportunity to another stage, close a case, complete a task. Other fields stay unchanged; null clears one.',
  scopes,
  path: { object, record_id },
  json: { '...': written('The fields to change') },
  returns: done('The {object} {record_id} was updated.'),
})

const deleteRecord = tool(`delete_record: DELETE ${RECORD}`, {
  title: 'Delete a record',
  description:
    'Move a record of any kind to the recycle bin, with the records that depend on it. It can be restored there for 15 days.',
  scopes,
  path: { object, record_id },
  returns: done('The {object} {record_id} was deleted.'),
})

/** Salesforce's tools for records of any kind. */
export const recordTools = [getRecord, createRecord, updateRecord, deleteRecord]
