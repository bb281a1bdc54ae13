import { named, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { id, OBJECTS, object_type, recordFields, SEARCHES, VERSION } from '../arguments.ts'

const PROPERTIES = `/crm/properties/${VERSION}/{object_type}`

const listProperties = tool(`list_properties: GET ${PROPERTIES}`, {
  title: 'List properties',
  description:
    'List the properties of a kind of record, custom ones included: the name that other tools take, label and type. The ' +
    'options of one: get_property.',
  path: { object_type },
  at: '/results',
  keep: 'name label type fieldType calculated modificationMetadata { readOnlyValue }',
})

const getProperty = tool(`get_property: GET ${PROPERTIES}/{property}`, {
  title: 'Get a property',
  description: 'Read one property: description, type, and the values of its options, which records take.',
  path: { object_type, property: text('The name, from list_properties.', 200) },
  keep: 'name label description type fieldType groupName hasUniqueValue options { value label description hidden } modificationMetadata { readOnlyValue }',
})

const archiveRecord = tool(`archive_record: DELETE ${OBJECTS}/{object_type}/{record_id}`, {
  title: 'Archive a record',
  description: 'Move a contact, company, deal or ticket to the recycle bin. It can be restored in HubSpot for 90 days.',
  path: { object_type, record_id: id(`The ID of the record, ${SEARCHES}.`) },
  returns: done('The record {record_id} was archived.'),
})

const mergeRecords = tool(`merge_records: POST ${OBJECTS}/{object_type}/merge`, {
  title: 'Merge two records',
  description:
    'Merge two records of the same kind. The result is a new record with a new ID; use it from now on. This cannot be undone. Ask first.',
  annotations: { ...overwrites, idempotentHint: false },
  path: { object_type },
  json: {
    primaryObjectId: named('primary_id', id(`The ID of the record whose values win, ${SEARCHES}.`)),
    objectIdToMerge: named('duplicate_id', id(`The ID of the other record, ${SEARCHES}.`)),
  },
  keep: recordFields,
})

/** HubSpot's tools for records of any kind, and their properties. */
export const recordTools = [listProperties, getProperty, archiveRecord, mergeRecords]
