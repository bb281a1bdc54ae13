import type { TString } from '@sinclair/typebox'
import { text } from '../../../services/definitions/arguments.ts'

/** The path of the API in its version of Summer '26, which all orgs have. */
export const DATA = '/services/data/v67.0'

/** The scope of all tools. */
export const scopes = ['api']

/** A record, by its ID of 15 or 18 characters. */
export function id(description: string): TString {
  return text(description, 18, { pattern: '^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$' })
}

/** Fields of a record by their API names. */
export const FIELDS =
  'by API name, from describe_object: {"Industry": "Banking", "Score__c": 3}. A date is 2026-03-31, a time 2026-03-31T09:00:00Z.'
