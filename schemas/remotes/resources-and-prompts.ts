import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false }

const _meta = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: 'As the upstream sent it, bounded.' }),
)
const claimed = { annotations: Type.Optional(Type.Record(Type.String(), Type.Unknown())), _meta }

const described = {
  name: Type.String(),
  title: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
}

/** One published resource of a snapshot. */
const ResourceRecord = Type.Object(
  {
    uri: Type.String({ description: 'The URI in resources/list.' }),
    original_uri: Type.String({ description: 'The URI at the upstream.' }),
    ...described,
    mime_type: Type.Optional(Type.String()),
    ...claimed,
    schema_hash: Type.String(),
  },
  closed,
)
export type ResourceRecord = Static<typeof ResourceRecord>

/** One published resource template of a snapshot. */
const ResourceTemplateRecord = Type.Object(
  {
    uri_template: Type.String({ description: 'The template in resources/templates/list.' }),
    original_uri_template: Type.String({ description: 'The template at the upstream.' }),
    ...described,
    mime_type: Type.Optional(Type.String()),
    ...claimed,
    schema_hash: Type.String(),
  },
  closed,
)
export type ResourceTemplateRecord = Static<typeof ResourceTemplateRecord>

/** One published prompt of a snapshot. */
const PromptRecord = Type.Object(
  {
    ...described,
    name: Type.String({ description: 'The name in prompts/list.' }),
    original_name: Type.String({ description: 'The name at the upstream.' }),
    arguments: Type.Array(Type.Object({ ...described, required: Type.Optional(Type.Boolean()) }, closed)),
    _meta,
    schema_hash: Type.String(),
  },
  closed,
)
export type PromptRecord = Static<typeof PromptRecord>

/** What an upstream offers besides tools. Absent before the first snapshot. */
export const OfferFields = Type.Object({
  declared_capabilities: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The client capabilities that the gateway declared when it took the snapshot.',
  }),
  undeclared_capabilities: Type.Array(Type.String(), {
    description:
      'Capabilities that it does not declare then. Some servers list tools only for clients that declare them.',
  }),
  instructions: Type.Optional(
    Type.String({ description: 'The instructions of the upstream: its own words, unverified, given to no model.' }),
  ),
  resources: Type.Array(ResourceRecord),
  resource_templates: Type.Array(ResourceTemplateRecord),
  prompts: Type.Array(PromptRecord),
  offers_hash: Type.Optional(
    Type.String({
      description: 'The hash of the resources, templates and prompts. Absent in a snapshot without them.',
    }),
  ),
  offers_set_aside: Type.Optional(
    Type.Array(Type.Object({ original_name: Type.String(), reason: Type.String() }, closed), {
      description: 'Resources and prompts that are not published, for admins; at most 100.',
    }),
  ),
})
export type OfferFields = Static<typeof OfferFields>
