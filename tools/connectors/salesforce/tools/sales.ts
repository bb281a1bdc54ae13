import { named, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day } from '../../times.ts'
import { account_id, amount, DATA, field, otherFields, owner_id, scopes } from '../arguments.ts'

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

const createAccount = tool(`create_account: POST ${DATA}/sobjects/Account`, {
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
})

const createContact = tool(`create_contact: POST ${DATA}/sobjects/Contact`, {
  title: 'Create a contact',
  description: 'Create a contact (a person), at an account if you give one. Search for them first. Returns its ID.',
  scopes,
  json: { ...person, AccountId: account_id },
  keep,
})

const createLead = tool(`create_lead: POST ${DATA}/sobjects/Lead`, {
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
})

const createOpportunity = tool(`create_opportunity: POST ${DATA}/sobjects/Opportunity`, {
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
})

/** Salesforce's tools that create accounts, people and opportunities. */
export const saleTools = [createAccount, createContact, createLead, createOpportunity]
