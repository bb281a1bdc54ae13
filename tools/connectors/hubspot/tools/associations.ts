import { integer, named, oneOf } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { sets } from '../../annotations.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { id, listPages, OBJECTS, SEARCHES, VERSION } from '../arguments.ts'

const KINDS = ['contacts', 'companies', 'deals', 'tickets', 'notes', 'tasks', 'calls', 'meetings', 'emails'] as const
const from_type = oneOf(KINDS, 'The kind of the first record.')
const to_type = oneOf(KINDS, 'The kind of the other record.')
const from_id = id(
  `The ID of the first record, ${SEARCHES}, search_notes, search_tasks, search_calls or search_meetings.`,
)
const to_id = id(`The ID of the other record, ${SEARCHES}, or list_associations.`)
const path = { from_type, from_id, to_type, to_id }
const BETWEEN = `${OBJECTS}/{from_type}/{from_id}/associations`

const listAssociations = tool(`list_associations: GET ${BETWEEN}/{to_type}`, {
  title: 'List associated records',
  description:
    'List the records of a kind that a record is associated with: the IDs and the labels of the associations.',
  path: { from_type, from_id, to_type },
  query: { limit: pageSize(100, 500), after: pageStart },
  pagination: listPages,
  keep: 'toObjectId associationTypes { category typeId label }',
})

const associateRecords = tool(`associate_records: PUT ${BETWEEN}/default/{to_type}/{to_id}`, {
  title: 'Associate two records',
  description:
    'Associate two records: a contact with a company, a note with a deal. For a label use label_association.',
  annotations: sets,
  path,
  returns: done('{from_type} {from_id} and {to_type} {to_id} are associated.'),
})

const listAssociationLabels = tool(
  `list_association_labels: GET /crm/associations/${VERSION}/{from_type}/{to_type}/labels`,
  {
    title: 'List association labels',
    description:
      'List the labels that an association between two kinds of records can have, such as Decision maker: type ID and category.',
    path: { from_type, to_type },
    at: '/results',
    keep: 'typeId category label',
  },
)

const labelAssociation = tool(`label_association: PUT ${BETWEEN}/{to_type}/{to_id}`, {
  title: 'Label an association',
  description: 'Associate two records with a label of list_association_labels.',
  path,
  json: [
    {
      associationCategory: named(
        'category',
        oneOf(['HUBSPOT_DEFINED', 'USER_DEFINED', 'INTEGRATOR_DEFINED', 'WORK'], 'From list_association_labels.'),
      ),
      associationTypeId: named('type_id', integer('The typeId, from list_association_labels.', 1, 2_147_483_647)),
    },
  ],
  returns: done('{from_type} {from_id} and {to_type} {to_id} are associated with the label.'),
})

const removeAssociation = tool(`remove_association: DELETE ${BETWEEN}/{to_type}/{to_id}`, {
  title: 'Remove an association',
  description: 'Remove all associations between two records, labels included. The records stay.',
  path,
  returns: done('{from_type} {from_id} and {to_type} {to_id} are no longer associated.'),
})

/** HubSpot's tools for associations between records. */
export const associationTools = [
  listAssociations,
  associateRecords,
  listAssociationLabels,
  labelAssociation,
  removeAssociation,
]
