import { SLUG } from './remote.ts'

const IS_SLUG = new RegExp(SLUG)
/** What stands before a slug in a capability's name. */
const PREFIX = 'org__'
/** What stands between a capability and what a tool of it is called. */
const BETWEEN = '__'
/** Characters of a tool's name on the wire, with its capability. */
const MAX_WIRE_NAME = 64

/** Whether a text can be a slug; what cannot is nobody's, and is not looked up. */
export function isSlug(text: string): boolean {
  return IS_SLUG.test(text)
}

/** The capability of a registration: what its tools' names begin with, and what capability settings name. */
export function remoteCapability(slug: string): string {
  return PREFIX + slug
}

/** The slug of a capability; undefined for one that is no remote connector's. */
export function slugOf(capability: string): string | undefined {
  return capability.startsWith(PREFIX) ? capability.slice(PREFIX.length) : undefined
}

/** What a tool of a capability is called on the wire. */
export function wireName(capability: string, name: string): string {
  return capability + BETWEEN + name
}

/** What stands behind the capability in a name on the wire; undefined for a name that is not one of the capability. */
export function nameWithin(capability: string, wireName: string): string | undefined {
  const prefix = capability + BETWEEN
  return wireName.startsWith(prefix) ? wireName.slice(prefix.length) : undefined
}

/** How many characters a capability leaves to the names of its tools. */
export function roomOf(capability: string): number {
  return MAX_WIRE_NAME - capability.length - BETWEEN.length
}
