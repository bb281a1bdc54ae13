import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import {
  company_id,
  listPages,
  OBJECTS,
  oneRecord,
  otherProperties,
  owner_id,
  property,
  reading,
  recordFields,
  search,
} from '../arguments.ts'

const COMPANIES = `${OBJECTS}/companies`
const readScopes = ['crm.objects.companies.read']
const writeScopes = ['crm.objects.companies.write']
const usual =
  'name domain phone industry city country numberofemployees annualrevenue lifecyclestage hubspot_owner_id createdate hs_lastmodifieddate'.split(
    ' ',
  )
const properties = {
  '...': otherProperties('companies'),
  name: property('The name.'),
  domain: property('The domain of its website, which identifies a company: example.com.', 255),
  phone: property('The phone number.', 100),
  city: property('The city.'),
  country: property('The country.'),
  description: property('What the company does.', 65_536),
  hubspot_owner_id: owner_id,
}

const searchCompanies = tool(`search_companies: POST ${COMPANIES}/search`, {
  title: 'Search companies',
  description:
    'Search companies by words or by properties; without both, list them. Returns their IDs and usual properties. At most ' +
    '10000 companies of a search can be read. The people of one: search_contacts with the filter associations.company.',
  annotations: reads,
  scopes: readScopes,
  json: search(usual),
  pagination: listPages,
  keep: recordFields,
})

const getCompany = tool(`get_company: GET ${COMPANIES}/{company_id}`, {
  title: 'Get a company',
  description: 'Read one company with its properties.',
  scopes: readScopes,
  path: { company_id },
  query: reading(usual),
  keep: oneRecord,
})

const createCompany = tool(`create_company: POST ${COMPANIES}`, {
  title: 'Create a company',
  description: 'Create a company. Search for its domain first, because HubSpot accepts duplicates. Returns its ID.',
  scopes: writeScopes,
  json: { properties },
  needsOneOf: ['name', 'domain'],
  keep: recordFields,
})

const updateCompany = tool(`update_company: PATCH ${COMPANIES}/{company_id}`, {
  title: 'Update a company',
  description: 'Update properties of a company. Omitted ones stay unchanged; an empty text clears one.',
  scopes: writeScopes,
  path: { company_id },
  json: { properties },
  keep: recordFields,
})

/** HubSpot's tools for companies. */
export const companyTools = [searchCompanies, getCompany, createCompany, updateCompany]
