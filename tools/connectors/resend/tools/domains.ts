import { flag, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { sets } from '../../annotations.ts'
import { id, listPages, listQuery } from '../arguments.ts'

const domain = id('The ID of the domain, from list_domains.')
const ABLE = ['enabled', 'disabled'] as const
const capabilities = {
  sending: optional(oneOf(ABLE, 'Whether the domain sends email.')),
  receiving: optional(oneOf(ABLE, 'Whether the domain receives email. Needs an MX record.')),
}

const listDomains = tool('list_domains: GET /domains', {
  title: 'List domains',
  description: 'List the sending domains with their IDs and verification status.',
  query: listQuery,
  pagination: listPages,
  keep: 'id name status region capabilities created_at',
})

const getDomain = tool('get_domain: GET /domains/{domain}', {
  title: 'Get domain',
  description: 'Read one domain: its status and the DNS records that it needs.',
  path: { domain },
  keep: 'id name status region capabilities open_tracking click_tracking tracking_subdomain created_at records',
})

const createDomain = tool('create_domain: POST /domains', {
  title: 'Create domain',
  description: 'Add a domain. Returns the DNS records to set. Then start their check with verify_domain.',
  json: {
    name: text('The domain: updates.example.com.', 253, { min: 3 }),
    region: optional(oneOf(['us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1'])),
    capabilities,
  },
  keep: 'id name status region records',
})

const updateDomain = tool('update_domain: PATCH /domains/{domain}', {
  title: 'Update domain',
  description: 'Switch the tracking, sending or receiving of a domain on or off. Omitted settings stay unchanged.',
  path: { domain },
  json: {
    open_tracking: optional(flag('Whether opened emails are counted.')),
    click_tracking: optional(flag('Whether clicks on links are counted.')),
    tracking_subdomain: optional(text('The subdomain of counted links, for example: links. It cannot be removed.', 63)),
    tls: optional(oneOf(['opportunistic', 'enforced'], 'enforced: email is only sent encrypted.')),
    capabilities,
  },
  keep: 'id',
})

const verifyDomain = tool('verify_domain: POST /domains/{domain}/verify', {
  title: 'Verify domain',
  description: "Start the check of a domain's DNS records. get_domain returns the outcome.",
  annotations: sets,
  path: { domain },
  keep: 'id',
})

const deleteDomain = tool('delete_domain: DELETE /domains/{domain}', {
  title: 'Delete domain',
  description: 'Remove a domain permanently. No email can be sent from it or received by it any more.',
  path: { domain },
  keep: 'id deleted',
})

/** Resend tools for domains. */
export const domainTools = [listDomains, getDomain, createDomain, updateDomain, verifyDomain, deleteDomain]
