import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, reads, sets } from '../../annotations.ts'
import { id, listPages, listQuery, page } from '../arguments.ts'

const domain = id('The id of the domain; it comes from list_domains.')

const listDomains = httpTool({
  operation: 'list_domains',
  title: 'List domains',
  description: 'List the domains that email can be sent from, with their ids and whether they are verified.',
  annotations: reads,
  input: { ...page },
  request: { method: 'GET', path: '/domains', query: listQuery },
  pagination: listPages,
  result: pick('/data', ['id', 'name', 'status', 'region', 'created_at']),
})

const getDomain = httpTool({
  operation: 'get_domain',
  title: 'Get domain',
  description: 'Read one domain: its status, and the DNS records that it needs.',
  annotations: reads,
  input: { domain },
  request: { method: 'GET', path: '/domains/{domain}' },
  result: pick('', ['id', 'name', 'status', 'region', 'created_at', 'records']),
})

const createDomain = httpTool({
  operation: 'create_domain',
  title: 'Create domain',
  description: 'Add a domain. Answers with the DNS records to set; verify_domain has them checked then.',
  annotations: adds,
  input: {
    name: Type.String({ minLength: 3, maxLength: 253, description: 'updates.example.com' }),
    region: Type.Optional(StringEnum(['us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1'])),
  },
  request: { method: 'POST', path: '/domains', body: { json: sameNames('name', 'region') } },
  result: pick('', ['id', 'name', 'status', 'region', 'records']),
})

const verifyDomain = httpTool({
  operation: 'verify_domain',
  title: 'Verify domain',
  description: "Start the check of a domain's DNS records; get_domain says what came of it.",
  annotations: sets,
  input: { domain },
  request: { method: 'POST', path: '/domains/{domain}/verify' },
  result: pick('', ['id']),
})

/** The domains that Resend sends email from. */
export const domainTools = [listDomains, getDomain, createDomain, verifyDomain]
