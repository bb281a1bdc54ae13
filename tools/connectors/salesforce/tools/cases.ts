import { flag, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { account_id, DATA, field, id, otherFields, owner_id, scopes } from '../arguments.ts'

const keep = 'id success'
const case_id = id('The ID of the case, from search_cases.')

const createCase = tool(`create_case: POST ${DATA}/sobjects/Case`, {
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
})

const addCaseComment = tool(`add_case_comment: POST ${DATA}/sobjects/CaseComment`, {
  title: 'Comment on a case',
  description: 'Add a comment to a support case. Only your colleagues see it, unless it is public.',
  scopes,
  json: {
    ParentId: named('case_id', case_id),
    CommentBody: named('comment', text('The comment.', 4000)),
    IsPublished: named('public', { ...optional(flag('Whether customers see it. Default: false.')), default: false }),
  },
  keep,
})

/** Salesforce's tools for support cases. */
export const caseTools = [createCase, addCaseComment]
