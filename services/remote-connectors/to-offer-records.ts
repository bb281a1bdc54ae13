import { wireName } from '../../schemas/remote-names.ts'
import type { OfferFields, PromptRecord, ResourceRecord, ResourceTemplateRecord } from '../../schemas/remote-offers.ts'
import { UNDECLARED_CAPABILITIES } from './declared-capabilities.ts'
import type { Offers, PinnedPrompt, PinnedResource, PinnedTemplate } from './offers.ts'
import { toGatewayTemplate, toGatewayUri } from './resource-uri.ts'

/** What an upstream offers besides tools, as the single read of a registration has it. Rejected offers are for admins. */
export function offerFields(
  { declared, instructions, resources, templates, prompts, rejected, hash }: Offers,
  { slug, capability, admin }: { slug: string; capability: string; admin: boolean },
): OfferFields {
  return {
    declared_capabilities: declared,
    undeclared_capabilities: [...UNDECLARED_CAPABILITIES],
    ...(instructions !== undefined && { instructions }),
    resources: resources.map(resource => resourceRecord(resource, slug)),
    resource_templates: templates.map(template => templateRecord(template, slug)),
    prompts: prompts.map(prompt => promptRecord(prompt, capability)),
    ...(hash !== '' && { offers_hash: hash }),
    ...(admin &&
      rejected.length > 0 && {
        offers_set_aside: rejected.map(({ originalName, reason }) => ({ original_name: originalName, reason })),
      }),
  }
}

function resourceRecord(resource: PinnedResource, slug: string): ResourceRecord {
  const { uri, hash } = resource
  return { uri: toGatewayUri(slug, uri), original_uri: uri, ...described(resource), schema_hash: hash }
}

function templateRecord(template: PinnedTemplate, slug: string): ResourceTemplateRecord {
  const { uriTemplate, hash } = template
  return {
    uri_template: toGatewayTemplate(slug, uriTemplate),
    original_uri_template: uriTemplate,
    ...described(template),
    schema_hash: hash,
  }
}

function promptRecord(prompt: PinnedPrompt, capability: string): PromptRecord {
  const { name, originalName, title, description, arguments: args, meta, hash } = prompt
  return {
    name: wireName(capability, name),
    original_name: originalName,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    arguments: args.map(argument => ({ ...argument })),
    ...(meta !== undefined && { _meta: meta }),
    schema_hash: hash,
  }
}

function described({ name, title, description, mimeType, annotations, meta }: PinnedResource | PinnedTemplate) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mime_type: mimeType }),
    ...(annotations !== undefined && { annotations }),
    ...(meta !== undefined && { _meta: meta }),
  }
}
