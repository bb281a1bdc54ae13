import { Type } from '@sinclair/typebox'
import { flag, integer, members, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../shared-arguments.ts'
import { DATA, FIELDS, id, scopes } from '../arguments.ts'

/** The user to whom a record belongs. */
const owner_id = named('owner_id', optional(id('The ID of the owner, from search_users. Default: you.')))

/** The fields that have no argument of their own. */
const otherFields = named('other_fields', optional(members(`Other fields ${FIELDS}`, 200)))

/** A field of one line. */
function field(description: string, max = 255) {
  return optional(text(description, max))
}

/** An amount of money, in the currency of the record. */
const amount = optional(Type.Number({ minimum: 0, description: 'The amount: 1200.5.' }))
const account_id = named('account_id', optional(id('The ID of the account, from search_accounts.')))

/** The records that an activity is about. */
const about = {
  WhoId: named('who_id', optional(id('The contact or lead it is about, from search_contacts or search_leads.'))),
  WhatId: named(
    'what_id',
    optional(
      id('The account, opportunity or case it is about, from search_accounts, search_opportunities or search_cases.'),
    ),
  ),
}

const keep = 'id success'
const person = {
  FirstName: field('The first name.', 40),
  LastName: text('The last name.', 80),
  Email: field('The email address.', 80),
  Phone: field('The phone number.', 40),
  Title: field('The job title.', 128),
  OwnerId: owner_id,
  '...': otherFields,
}

const case_id = id('The ID of the case, from search_cases.')

/** Salesforce's tools that create accounts, people, opportunities, cases and activities. */
export const customerTools = [
  tool(`create_account: POST ${DATA}/sobjects/Account`, {
    title: 'Create an account',
    description: 'Create an account (a company). Search for it first. Returns its ID.',
    scopes,
    json: {
      Name: text('The name.', 255),
      Website: field('The website: https://example.com.'),
      Phone: field('The phone number.', 40),
      Industry: field('The industry, a value of describe_object: Banking.', 40),
      Description: field('What the company does.', 32_000),
      OwnerId: owner_id,
      '...': otherFields,
    },
    keep,
  }),

  tool(`create_contact: POST ${DATA}/sobjects/Contact`, {
    title: 'Create a contact',
    description: 'Create a contact (a person), at an account if you give one. Search for them first. Returns its ID.',
    scopes,
    json: { ...person, AccountId: account_id },
    keep,
  }),

  tool(`create_lead: POST ${DATA}/sobjects/Lead`, {
    title: 'Create a lead',
    description:
      'Create a lead: a person who may become a customer, with their company. Search for them first. Returns its ID.',
    scopes,
    json: {
      ...person,
      Company: text('The name of their company.', 255),
      LeadSource: named('source', field('Where the lead comes from, a value of describe_object: Web.', 40)),
      Description: field('What they want.', 32_000),
    },
    keep,
  }),

  tool(`create_opportunity: POST ${DATA}/sobjects/Opportunity`, {
    title: 'Create an opportunity',
    description:
      'Create an opportunity (a deal) of an account. The stages are picklistValues of StageName in describe_object. Returns its ID.',
    scopes,
    json: {
      Name: text('The name.', 120),
      StageName: named('stage', text('The stage: Prospecting.', 255)),
      CloseDate: day('When it is expected to close.'),
      Amount: amount,
      AccountId: account_id,
      Description: field('What it is about.', 32_000),
      OwnerId: owner_id,
      '...': otherFields,
    },
    keep,
  }),

  tool(`create_case: POST ${DATA}/sobjects/Case`, {
    title: 'Create a case',
    description:
      'Create a support case, for a contact and an account if you give them. Returns its ID; its number: get_record.',
    scopes,
    json: {
      Subject: text('The subject.', 255),
      Description: field('What it is about.', 32_000),
      Status: field('The status, a value of describe_object: New.'),
      Priority: field('The priority, a value of describe_object: High, Medium, Low.'),
      Origin: field('Where it comes from, a value of describe_object: Phone, Email, Web.'),
      ContactId: named('contact_id', optional(id('The ID of the contact, from search_contacts.'))),
      AccountId: account_id,
      OwnerId: owner_id,
      '...': otherFields,
    },
    keep,
  }),

  tool(`add_case_comment: POST ${DATA}/sobjects/CaseComment`, {
    title: 'Comment on a case',
    description: 'Add a comment to a support case. Only your colleagues see it, unless it is public.',
    scopes,
    json: {
      ParentId: named('case_id', case_id),
      CommentBody: named('comment', text('The comment.', 4000)),
      IsPublished: named('public', { ...optional(flag('Whether customers see it. Default: false.')), default: false }),
    },
    keep,
  }),

  tool(`create_task: POST ${DATA}/sobjects/Task`, {
    title: 'Create a task',
    description:
      'Create a task for you or another user, about a contact, an account or another record. Complete it with update_record. Returns its ID.',
    scopes,
    json: {
      Subject: text('What to do.', 255),
      ActivityDate: named('due', optional(day('When it is due.'))),
      Priority: field('The priority, a value of describe_object: High, Normal, Low.', 40),
      Description: field('Details.', 32_000),
      ...about,
      OwnerId: owner_id,
      '...': otherFields,
    },
    keep,
  }),

  tool(`log_call: POST ${DATA}/sobjects/Task`, {
    title: 'Log a call',
    description:
      'Log a call that took place with a contact or lead, or about a record: a completed task. Returns its ID.',
    scopes,
    json: {
      TaskSubtype: 'Call',
      Status: 'Completed',
      Subject: text('What the call was about.', 255),
      Description: named('notes', field('What was said.', 32_000)),
      ActivityDate: named('date', day('The day of the call.')),
      CallType: named(
        'direction',
        optional(oneOf(['Inbound', 'Outbound', 'Internal'], 'Who called. Internal: a colleague.')),
      ),
      CallDurationInSeconds: named('duration_seconds', optional(integer('The duration in seconds.', 0, 86_400))),
      ...about,
      '...': otherFields,
    },
    needsOneOf: ['who_id', 'what_id'],
    keep,
  }),

  tool(`create_event: POST ${DATA}/sobjects/Event`, {
    title: 'Create an event',
    description:
      'Create an event in the calendar of Salesforce, about a contact, an account or another record. No one is invited. Returns its ID.',
    scopes,
    json: {
      Subject: text('The title.', 255),
      StartDateTime: named('start', instant('The start.')),
      EndDateTime: named('end', instant('The end.')),
      Location: field('The place.'),
      Description: field('Details.', 32_000),
      ...about,
      OwnerId: owner_id,
      '...': otherFields,
    },
    keep,
  }),
]
