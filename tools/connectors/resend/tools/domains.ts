import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, reads, sets } from '../../annotations.ts'
import { id, listPages, listQuery, page } from '../arguments.ts'

const domain = id('The ID of the domain, from list_domains.')

const listDomains = httpTool({
  operation: 'list_domains',
  title: 'List domains',
  description: 'List the sending domains with their IDs and verification status.',
  annotations: reads,
  input: { ...page },
  request: { method: 'GET', path: '/domains', query: listQuery },
  pagination: listPages,
  result: pick('/data', ['id', 'name', 'status', 'region', 'created_at']),
})

const getDomain = httpTool({
  operation: 'get_domain',
  title: 'Get domain',
  description: 'Read one domain: its status and the DNS records that it needs.',
  annotations: reads,
  input: { domain },
  request: { method: 'GET', path: '/domains/{domain}' },
  result: pick('', ['id', 'name', 'status', 'region', 'created_at', 'records']),
})

const createDomain = httpTool({
  operation: 'create_domain',
  title: 'Create domain',
  description: 'Add a domain. Returns the DNS records to set. Then start their check with verify_domain.',
  annotations: adds,
  input: {
    name: Type.String({ minLength: 3, maxLength: 253, description: 'The domain: updates.example.com.' }),
    region: Type.Optional(StringEnum(['us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1'])),
  },
  request: { method: 'POST', path: '/domains', body: { json: sameNames('name', 'region') } },
  result: pick('', ['id', 'name', 'status', 'region', 'records']),
})

const verifyDomain = httpTool({
  operation: 'verify_domain',
  title: 'Verify domain',
  description: "Start the check of a domain's DNS records. get_domain returns the outcome.",
  annotations: sets,
  input: { domain },
  request: { method: 'POST', path: '/domains/{domain}/verify' },
  result: pick('', ['id']),
})

/** Resend tools for domains. */
export const domainTools = [listDomains, getDomain, createDomain, verifyDomain]
