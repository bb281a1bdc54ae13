import type { PinnedPrompt, PinnedResource, PinnedTemplate } from '../offers.ts'
import { publishedMeta } from '../published-meta.ts'
import type { Registration } from '../registration.ts'
import { toGatewayTemplate, toGatewayUri } from '../resource-uri.ts'
import { remoteToolName } from '../to-tool-entry.ts'

type Registered = Pick<Registration, 'slug' | 'name'>

/** The entry of a resource in `resources/list`: the upstream's own texts, marked as such. */
export function resourceEntry(resource: PinnedResource, registration: Registered) {
  const { uri, size } = resource
  return {
    uri: toGatewayUri(registration.slug, uri),
    ...fields(resource, registration, 'resource'),
    ...typed(resource),
    ...(size !== undefined && { size }),
  }
}

/** The entry of a template in `resources/templates/list`. */
export function templateEntry(template: PinnedTemplate, registration: Registered) {
  return {
    uriTemplate: toGatewayTemplate(registration.slug, template.uriTemplate),
    ...fields(template, registration, 'resource template'),
    ...typed(template),
  }
}

/** The entry of a prompt in `prompts/list`. */
export function promptEntry(prompt: PinnedPrompt, registration: Registered) {
  return {
    ...fields(prompt, registration, 'prompt'),
    name: remoteToolName(registration, prompt),
    arguments: prompt.arguments,
  }
}

function fields(
  { name, title, description, meta }: PinnedResource | PinnedTemplate | PinnedPrompt,
  registration: Registered,
  what: string,
) {
  const own = description ?? ''
  return {
    name,
    ...(title !== undefined && { title }),
    description:
      own === ''
        ? `${title ?? name}: a ${what} of the registered upstream "${registration.name}", without a description.`
        : `${own}\n\n(Unverified description by the registered upstream "${registration.name}".)`,
    ...(meta !== undefined && { _meta: publishedMeta(registration.slug, meta) }),
  }
}

function typed({ mimeType, annotations }: PinnedResource | PinnedTemplate) {
  return { ...(mimeType !== undefined && { mimeType }), ...(annotations !== undefined && { annotations }) }
}
