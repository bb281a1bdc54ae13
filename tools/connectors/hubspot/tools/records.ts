import { integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { sets, tool, triggers } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../shared-arguments.ts'
import { id, listPages, OBJECTS, recordFields, SEARCHES, VERSION } from '../arguments.ts'

/** The kinds of records that people manage. */
const object_type = oneOf(['contacts', 'companies', 'deals', 'tickets'], 'The kind of record.')
const PROPERTIES = `/crm/properties/${VERSION}/{object_type}`

const KINDS = ['contacts', 'companies', 'deals', 'tickets', 'notes', 'tasks', 'calls', 'meetings', 'emails'] as const
const from_type = oneOf(KINDS, 'The kind of the first record.')
const to_type = oneOf(KINDS, 'The kind of the other record.')
const from_id = id(
  `The ID of the first record, ${SEARCHES}, search_notes, search_tasks, search_calls or search_meetings.`,
)
const to_id = id(`The ID of the other record, ${SEARCHES}, or list_associations.`)
const path = { from_type, from_id, to_type, to_id }
const BETWEEN = `${OBJECTS}/{from_type}/{from_id}/associations`

/** HubSpot's tools for records of any kind: their properties and associations. */
export const recordTools = [
  tool(`list_properties: GET ${PROPERTIES}`, {
    title: 'List properties',
    description:
      'List the properties of a kind of record, including custom ones: name for other tools, label and type. The ' +
      'options of a property: get_property.',
    path: { object_type },
    at: '/results',
    keep: 'name label type fieldType calculated modificationMetadata { readOnlyValue }',
  }),

  tool(`get_property: GET ${PROPERTIES}/{property}`, {
    title: 'Get a property',
    description: 'Read one property: description, type, and the values of its options, which records take.',
    path: { object_type, property: text('The name, from list_properties.', 200) },
    keep: 'name label description type fieldType groupName hasUniqueValue options { value label description hidden } modificationMetadata { readOnlyValue }',
  }),

  tool(`archive_record: DELETE ${OBJECTS}/{object_type}/{record_id}`, {
    title: 'Archive a record',
    description:
      'Move a contact, company, deal or ticket to the recycle bin. It can be restored in HubSpot for 90 days.',
    path: { object_type, record_id: id(`The ID of the record, ${SEARCHES}.`) },
    returns: done('The record {record_id} was archived.'),
  }),

  tool(`merge_records: POST ${OBJECTS}/{object_type}/merge`, {
    title: 'Merge two records',
    description:
      'Merge two records of the same kind. The result is a new record with a new ID; use it from now on. This cannot be undone. Ask first.',
    annotations: triggers,
    path: { object_type },
    json: {
      primaryObjectId: named('primary_id', id(`The ID of the record whose values win, ${SEARCHES}.`)),
      objectIdToMerge: named('duplicate_id', id(`The ID of the other record, ${SEARCHES}.`)),
    },
    keep: recordFields,
  }),

  tool(`list_associations: GET ${BETWEEN}/{to_type}`, {
    title: 'List associated records',
    description:
      'List the records of a kind that a record is associated with: the IDs and the labels of the associations.',
    path: { from_type, from_id, to_type },
    query: { limit: pageSize(100, 500), after: pageStart },
    pagination: listPages,
    keep: 'toObjectId associationTypes { category typeId label }',
  }),

  tool(`associate_records: PUT ${BETWEEN}/default/{to_type}/{to_id}`, {
    title: 'Associate two records',
    description:
      'Associate two records: a contact with a company, a note with a deal. For a label use label_association.',
    annotations: sets,
    path,
    returns: done('{from_type} {from_id} and {to_type} {to_id} are associated.'),
  }),

  tool(`list_association_labels: GET /crm/associations/${VERSION}/{from_type}/{to_type}/labels`, {
    title: 'List association labels',
    description:
      'List the labels that an association between two kinds of records can have, such as Decision maker: type ID and category.',
    path: { from_type, to_type },
    at: '/results',
    keep: 'typeId category label',
  }),

  tool(`label_association: PUT ${BETWEEN}/{to_type}/{to_id}`, {
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
  }),

  tool(`remove_association: DELETE ${BETWEEN}/{to_type}/{to_id}`, {
    title: 'Remove an association',
    description: 'Remove all associations between two records, labels included. The records stay.',
    path,
    returns: done('{from_type} {from_id} and {to_type} {to_id} are no longer associated.'),
  }),
]

/** HubSpot's tools for what is set up in an account. */
export const accountTools = [
  tool(`list_pipelines: GET /crm/pipelines/${VERSION}/{object_type}`, {
    title: 'List pipelines',
    description:
      'List the pipelines of deals or tickets with their stages: the IDs that deals and tickets have and take, names and order.',
    path: { object_type: oneOf(['deals', 'tickets'], 'The kind of record.') },
    at: '/results',
    keep: 'id label displayOrder stages { id label displayOrder metadata { isClosed probability ticketState } }',
  }),

  tool(`list_owners: GET /crm/owners/${VERSION}`, {
    title: 'List owners',
    description:
      'List the people who can own records and tasks: the IDs that other tools take, names, email addresses, teams.',
    scopes: ['crm.objects.owners.read'],
    query: {
      email: optional(text('Only the owner with this email address.', 320)),
      limit: pageSize(100, 500),
      after: pageStart,
    },
    pagination: listPages,
    keep: 'id email firstName lastName userId type teams { id name primary }',
  }),

  tool(`get_account: GET /account-info/${VERSION}/details`, {
    title: 'Get the HubSpot account',
    description: 'Read the connected HubSpot account: its ID (portal), kind, time zone and currency.',
    scopes: ['oauth'],
    keep: 'portalId accountType timeZone utcOffset companyCurrency additionalCurrencies uiDomain dataHostingLocation',
  }),
]
