import { hash } from 'node:crypto'
import type { StoredOverride, ToolClass } from '../../schemas/remotes/overrides.ts'
import type { Registration } from './registration.ts'
import type { PinnedTool, Snapshot } from './snapshot.ts'

/** A pinned tool as it is listed and called. */
export interface ServedTool extends PinnedTool {
  /** What the upstream published, which calls are checked against. */
  readonly pinned: PinnedTool
  /** The arguments that every call gets. Callers neither see nor send them. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Whether an admin wrote the description. */
  readonly describedByAdmin?: boolean
}

type Overridden = Pick<Registration, 'overrides'>

/** The tools of a snapshot that are listed, with what the admins of the organization have set for them. */
export function servedTools({ overrides }: Overridden, tools: readonly PinnedTool[]): ServedTool[] {
  const of = new Map(overrides.map(override => [override.originalName, override]))
  return tools.flatMap(tool => {
    const override = of.get(tool.originalName)
    return override?.hidden === true ? [] : [servedTool(tool, override)]
  })
}

function servedTool(pinned: PinnedTool, override: StoredOverride | undefined): ServedTool {
  if (override === undefined) return { ...pinned, pinned }
  const { title, description, fixed, class: kind } = override
  const annotations = kind === undefined ? pinned.annotations : { ...pinned.annotations, ...HINTS[kind] }
  return {
    ...pinned,
    pinned,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description, describedByAdmin: true }),
    ...(fixed !== undefined && { fixed, inputSchema: withoutArguments(pinned.inputSchema, fixed) }),
    ...(annotations !== undefined && { annotations }),
  }
}

const HINTS = {
  read: { readOnlyHint: true, destructiveHint: false },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
} as const satisfies Record<ToolClass, object>

function withoutArguments(schema: PinnedTool['inputSchema'], fixed: object): PinnedTool['inputSchema'] {
  const { properties = {}, required } = schema as { properties?: object; required?: unknown }
  const left = Object.entries(properties).filter(([name]) => !Object.hasOwn(fixed, name))
  return {
    ...schema,
    properties: Object.fromEntries(left),
    ...(Array.isArray(required) && { required: required.filter(name => !Object.hasOwn(fixed, String(name))) }),
  }
}

/** Whether an admin has hidden a tool. */
export function isHidden({ overrides }: Overridden, { originalName }: Pick<PinnedTool, 'originalName'>): boolean {
  return overrides.some(override => override.originalName === originalName && override.hidden === true)
}

/** The class of a tool that an admin has set, or that its hints claim and an admin has confirmed; undefined otherwise. */
export function classOf(
  { overrides, confirmed }: Pick<Registration, 'overrides' | 'confirmed'>,
  snapshot: Pick<Snapshot, 'hash'>,
  { originalName, annotations = {} }: PinnedTool,
): ToolClass | undefined {
  const set = overrides.find(override => override.originalName === originalName)?.class
  if (set !== undefined) return set
  if (confirmed?.hash !== snapshot.hash) return undefined
  if (annotations.readOnlyHint === true) return 'read'
  return annotations.destructiveHint === false ? 'write' : 'destructive'
}

/** What a call of a tool does, as policies see it: an upstream's own claim to be harmless proves nothing. */
export function effectOfRemote(
  registration: Pick<Registration, 'overrides' | 'confirmed'>,
  snapshot: Pick<Snapshot, 'hash'> | undefined,
  tool: PinnedTool,
): ToolClass | 'unconfirmed' {
  return (snapshot && classOf(registration, snapshot, tool)) ?? 'unconfirmed'
}

/** Whether the tool of an override is as it was when an admin set it. */
export function overrideState(
  { originalName, hash: was }: StoredOverride,
  snapshot: Pick<Snapshot, 'tools'> | undefined,
): 'current' | 'changed' | 'missing' {
  const tool = snapshot?.tools.find(tool => tool.originalName === originalName)
  if (tool === undefined) return 'missing'
  return tool.hash === was ? 'current' : 'changed'
}

/** A key of everything that changes how a registration's tools are listed besides its snapshot. */
export function listingKey({ name, overrides }: Pick<Registration, 'name' | 'overrides'>): string {
  return overrides.length === 0 ? name : `${name} ${hash('sha256', JSON.stringify(overrides), 'base64url')}`
}
