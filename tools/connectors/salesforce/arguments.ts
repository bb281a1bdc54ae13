import { type TString, Type } from '@sinclair/typebox'
import { members, named, optional, text } from '../../../services/definitions/arguments.ts'

/** The path of the API in its version of Summer '26, which all orgs have. */
export const DATA = '/services/data/v67.0'
/** The scope of all tools. */
export const scopes = ['api']

/** A record, by its ID of 15 or 18 characters. */
export function id(description: string): TString {
  return text(description, 18, { pattern: '^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$' })
}

/** A kind of records. */
export const object = text(
  'The API name of the object: Account, Contact, Opportunity, Case, Lead, Task, or a custom one such as Invoice__c, from list_objects.',
  255,
  { pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
)
export const record_id = id(
  'The ID of the record, from query_records, search_accounts, search_contacts, search_leads, search_opportunities, search_cases or list_related_records.',
)
export const owner_id = named('owner_id', optional(id('The ID of the owner, from search_users. Default: you.')))

/** Fields of a record by their API names. */
export const FIELDS =
  'by API name, from describe_object: {"Industry": "Banking", "Score__c": 3}. A date is 2026-03-31, a time 2026-03-31T09:00:00Z.'

/** The fields that have no argument of their own. */
export const otherFields = named('other_fields', optional(members(`Other fields ${FIELDS}`, 200)))

/** A field of one line. */
export function field(description: string, max = 255) {
  return optional(text(description, max))
}

/** An amount of money, in the currency of the record. */
export const amount = optional(Type.Number({ minimum: 0, description: 'The amount: 1200.5.' }))
export const account_id = named('account_id', optional(id('The ID of the account, from search_accounts.')))

/** The records that an activity is about. */
export const about = {
  WhoId: named('who_id', optional(id('The contact or lead it is about, from search_contacts or search_leads.'))),
  WhatId: named(
    'what_id',
    optional(
      id('The account, opportunity or case it is about, from search_accounts, search_opportunities or search_cases.'),
    ),
  ),
}
