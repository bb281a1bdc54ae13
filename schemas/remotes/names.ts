import { SLUG } from './remote.ts'

const IS_SLUG = new RegExp(SLUG)
/** The prefix of a remote connector's capability, before its slug. */
const PREFIX = 'org__'
/** The separator between a capability and a tool's name. */
const BETWEEN = '__'
/** The maximum length of a tool's wire name, capability included. */
const MAX_WIRE_NAME = 64

/** Whether a text has the form of a slug. Other texts need no lookup. */
export function isSlug(text: string): boolean {
  return IS_SLUG.test(text)
}

/** The capability of a remote connector: the prefix of its tools' names, and its name in capability settings. */
export function remoteCapability(slug: string): string {
  return PREFIX + slug
}

/** Returns the slug of a capability; undefined if it is not a remote connector's. */
export function slugOf(capability: string): string | undefined {
  return capability.startsWith(PREFIX) ? capability.slice(PREFIX.length) : undefined
}

/** Returns the wire name of a tool of a capability. */
export function wireName(capability: string, name: string): string {
  return capability + BETWEEN + name
}

/** Returns the part of a wire name after the capability; undefined if it is not of this capability. */
export function nameWithin(capability: string, wireName: string): string | undefined {
  const prefix = capability + BETWEEN
  return wireName.startsWith(prefix) ? wireName.slice(prefix.length) : undefined
}

/** The maximum length of tool names within a capability. */
export function roomOf(capability: string): number {
  return MAX_WIRE_NAME - capability.length - BETWEEN.length
}
