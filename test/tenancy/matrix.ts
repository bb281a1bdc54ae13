import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { InjectOptions } from 'fastify'
import { sample } from '../fixtures/sample.ts'
import { type Answer, answerTo, cut, difference } from './answers.ts'
import type { Operation } from './operations.ts'
import { fill, type Slot, slotsIn } from './variants.ts'
import { type Credential, kindOf, type Member, type Specimen, type World } from './world.ts'

/** The parts of the matrix. Each returns a sentence per problem. */
interface Matrix {
  /** Checks that calls without an identifier show nothing of others. */
  sweep(operation: Operation): Promise<string[]>
  /** Checks that removed objects and those of others answer like unknown ones and do not change, and that own ones answer. */
  probe(operation: Operation): Promise<string[]>
  /** Checks that only the caller who stored a result under an idempotency key gets it. */
  replay(operation: Operation): Promise<string[]>
  /** Checks that without a valid credential, existing and unknown objects both answer 401. */
  refuse(operation: Operation): Promise<string[]>
  /** Checks that these requests answer the same with any credential and without one, with this status if given. */
  same(requests: readonly InjectOptions[], status?: number): Promise<string[]>
  /** The allowed texts that were seen, by credential. */
  readonly seen: ReadonlyMap<Credential, ReadonlySet<string>>
}

const CHANGED = ': changed it'

/** How many pairs are compared at once: fewer than the database has connections. */
const CONCURRENT_PAIRS = 8

const ANY_ID = /\b[a-z]{3}_[0-9a-f]{32}\b/g

/** Whether a list of changes may name an object: its own to a member, also a removed one, and to an admin all of the organization. */
function seesHistory(caller: Member, owner: Member): boolean {
  return caller === owner || (caller.orgId === owner.orgId && caller.role !== 'member')
}

/** `choose` picks the cases to try from all of them. */
export function createMatrix(world: World, choose = sample): Matrix {
  const seen = new Map<Credential, Set<string>>(world.credentials.map(credential => [credential, new Set()]))

  /** Sends a request with a valid credential and checks the answer for texts that the caller must not see. */
  async function ask(
    problems: string[],
    operation: Operation,
    credential: Credential,
    args: unknown,
    key?: string,
  ): Promise<Answer> {
    const answer = await answerTo(world.send, operation.request(args, credential, key))
    const who = `${operation.name} by ${nameOf(credential)}`
    if (answer.status >= 500 || answer.body.includes('internal_error'))
      problems.push(`${who}: failed: ${cut(answer.text)}`)
    if (credential.kind === 'MCP token' && !operation.takesMcpTokens && answer.status !== 401)
      problems.push(`${who}: an MCP token was accepted outside /mcp: ${cut(answer.text)}`)
    const sent = JSON.stringify(args)
    for (const { text, sees, owner } of world.markers) {
      if (!answer.text.includes(text) || sent.includes(text)) continue
      if (operation.history && owner !== undefined && seesHistory(credential.member, owner)) continue
      if (sees(credential.member)) seen.get(credential)?.add(text)
      else problems.push(`${who}: shows “${text}”, which is not for ${credential.member.name}`)
    }
    return answer
  }

  /** Fills this slot with the ID, and every other slot with an object of the caller. */
  function about(variant: unknown, slot: Slot, id: string, member: Member): unknown {
    return fill(variant, other => (other.path === slot.path ? id : ownOf(member, other.kind)))
  }

  function ownOf(member: Member, kind: string): string {
    const own = world.specimens.find(one => one.kind === kind && one.owner === member && one.sees(member))
    if (own === undefined) throw new Error(`${member.name} has no ${kind}.`)
    return own.id
  }

  async function probe(operation: Operation): Promise<string[]> {
    const problems: string[] = []
    for (const { slot, variants } of slotsOf(operation)) {
      const before = await statesOf(slot.kind)
      const pairs = choose(pairsOf(operation, slot, variants))
      problems.push(...(await compareAll(operation, pairs)))
      // Looks for the caller that changed something only after a change, because reading all states needs many queries.
      if ((await statesOf(slot.kind)) !== before) {
        const changes = (await compareAll(operation, pairs, 'watching')).filter(one => one.includes(CHANGED))
        problems.push(...(changes.length > 0 ? changes : [`${operation.name} about ${slot.path}${CHANGED} once`]))
      }
      for (const one of choose(controlsOf(operation, slot)))
        await control(problems, operation, { slot, variants, ...one })
    }
    return problems
  }

  /** Returns the stored state of all specimens of a kind. */
  async function statesOf(kind: string): Promise<string> {
    const states = world.specimens.filter(one => one.kind === kind).map(stateOf)
    return (await Promise.all(states)).join('\n')
  }

  async function stateOf({ kind, owner, id }: Specimen): Promise<string> {
    return JSON.stringify(await kindOf(kind).state?.(world, owner, id))
  }

  /** Returns what each credential may not reach, and the variants to request it with. */
  function pairsOf(operation: Operation, slot: Slot, variants: readonly unknown[]) {
    return world.credentials.flatMap((credential, i) => {
      // Shifted by one per member, so that each kind of credential gets both halves of the specimens.
      const turn = i + Math.floor(i / 5)
      return within(world, credential.member, turn)
        .filter(({ kind }) => kind === slot.kind)
        .map((specimen, j) => ({ slot, credential, specimen, variants: two(variants, turn + j) }))
        .filter(({ specimen }) => !operation.opens(credential) || !specimen.sees(credential.member))
    })
  }

  async function compareAll(
    operation: Operation,
    pairs: readonly ReturnType<typeof pairsOf>[number][],
    watching?: 'watching',
  ): Promise<string[]> {
    const problems: string[] = []
    // Concurrently, because none of these calls may change anything. Not all at once: on a busy machine, some would wait
    // longer for a connection to the database than they may.
    for (let i = 0; i < pairs.length; i += CONCURRENT_PAIRS)
      await Promise.all(
        pairs.slice(i, i + CONCURRENT_PAIRS).map(pair => {
          const state = async () => (watching === undefined ? '' : stateOf(pair.specimen))
          return compare(problems, operation, { ...pair, state })
        }),
      )
    return problems
  }

  async function compare(
    problems: string[],
    operation: Operation,
    on: {
      slot: Slot
      variants: readonly unknown[]
      credential: Credential
      specimen: Specimen
      state: () => Promise<string>
    },
  ): Promise<void> {
    const { slot, variants, credential, specimen, state } = on
    const { id } = specimen
    const unknown = kindOf(slot.kind).unknown(id)
    const before = await state()
    const what = `${operation.name} by ${nameOf(credential)} about ${slot.path} = ${describe(specimen)}`
    for (const variant of variants) {
      const answer = await ask(problems, operation, credential, about(variant, slot, id, credential.member))
      const after = await state()
      if (after !== before) problems.push(`${what}${CHANGED}: ${cut(before)} → ${cut(after)}`)
      const other = await ask(problems, operation, credential, about(variant, slot, unknown, credential.member))
      reportDifference(problems, what, [answer, id], [other, unknown])
    }
  }

  /** Returns what each credential that passes the gate may reach. */
  function controlsOf(operation: Operation, { kind }: Slot) {
    return world.credentials
      .filter(credential => operation.opens(credential))
      .flatMap(credential =>
        Object.entries(kindOf(kind).shapes).flatMap(([shape, sees]) =>
          world.members.filter(owner => sees(credential.member, owner)).map(owner => ({ credential, shape, owner })),
        ),
      )
  }

  /** Checks that an object that the caller sees answers differently from an unknown one. Otherwise `compare` proves nothing. */
  async function control(
    problems: string[],
    operation: Operation,
    on: { slot: Slot; variants: readonly unknown[]; credential: Credential; shape: string; owner: Member },
  ): Promise<void> {
    const { slot, variants, credential, shape, owner } = on
    const { unknown, nothing = unknown } = kindOf(slot.kind)
    for (const variant of variants) {
      const id = operation.reads ? specimenOf(slot.kind, owner, shape) : await world.make(slot.kind, owner, shape)
      const unknownId = nothing(id)
      const answer = await ask(problems, operation, credential, about(variant, slot, id, credential.member))
      const other = await ask(problems, operation, credential, about(variant, slot, unknownId, credential.member))
      if (difference([answer, id], [other, unknownId]) !== undefined) return
    }
    problems.push(
      `${operation.name} by ${nameOf(credential)} about ${slot.path}: answers about the ${slot.kind} (${shape}) of ${owner.name} as about an unknown one, so the comparison proves nothing. If a gate runs before the lookup, declare it in ROUTES or in the tool.`,
    )
  }

  function specimenOf(kind: string, owner: Member, shape: string): string {
    const specimen = world.specimens.find(one => one.kind === kind && one.owner === owner && one.shape === shape)
    if (specimen === undefined) throw new Error(`${owner.name} has no ${kind} (${shape}).`)
    return specimen.id
  }

  async function replay(operation: Operation): Promise<string[]> {
    if (!operation.keyed) return []
    const problems: string[] = []
    const [a1] = world.members as [Member]
    const strangers = world.credentials.filter(({ member }) => member !== a1)
    const holders = world.credentials.filter(
      one => one.member === a1 && (one.kind === 'API key' || one.kind === 'session') && operation.opens(one),
    )
    let storedCount = 0
    for (const variant of operation.variants)
      for (const holder of choose(holders)) {
        const ids = new Map<string, string>()
        for (const { path, kind } of slotsIn(variant)) ids.set(path, await world.make(kind, a1, shapeOf(kind)))
        const args = fill(variant, ({ path }) => ids.get(path))
        const key = randomUUID()
        const first = await ask(problems, operation, holder, args, key)
        if (first.body.includes('"isError":true')) continue
        storedCount++
        const again = await ask(problems, operation, holder, args, key)
        // The database changes the order of the properties of a stored result.
        if (!isDeepStrictEqual(JSON.parse(again.body), JSON.parse(first.body)))
          problems.push(`${operation.name} by ${nameOf(holder)}: did not get their stored result: ${cut(again.text)}`)
        const on = { variant, ids, key, first }
        await Promise.all(choose(strangers).map(stranger => repeat(problems, operation, { ...on, stranger })))
      }
    if (storedCount === 0) problems.push(`${operation.name}: no call of ${a1.name} succeeded, so no result was stored`)
    return problems
  }

  /** Repeats the call of another member with their idempotency key. */
  async function repeat(
    problems: string[],
    operation: Operation,
    on: { stranger: Credential; variant: unknown; ids: Map<string, string>; key: string; first: Answer },
  ): Promise<void> {
    const { stranger, variant, ids, key, first } = on
    const what = `${operation.name} by ${nameOf(stranger)} with the idempotency key of another`
    const args = fill(variant, ({ path }) => ids.get(path))
    const second = await ask(problems, operation, stranger, args, key)
    const sent = JSON.stringify(args)
    // The URL of a file names the organization of the caller.
    for (const [id] of first.body.matchAll(ANY_ID))
      if (second.body.includes(id) && !sent.includes(id) && id !== stranger.member.orgId)
        problems.push(`${what}: got their result, with ${id}`)

    for (const slot of slotsIn(variant)) {
      const { shapes, unknown, shapeOf: currentShape } = kindOf(slot.kind)
      const [owner] = world.members as [Member]
      const id = ids.get(slot.path) ?? ''
      const shape = currentShape === undefined ? shapeOf(slot.kind) : await currentShape(world, owner, id)
      if (shape !== undefined && shapes[shape]?.(stranger.member, owner) === true) continue
      const unknownId = unknown(id)
      const unknownArgs = fill(variant, ({ path }) => (path === slot.path ? unknownId : ids.get(path)))
      const other = await ask(problems, operation, stranger, unknownArgs, randomUUID())
      reportDifference(problems, what, [second, id], [other, unknownId])
    }
  }

  return {
    seen,
    probe,
    replay,

    async sweep(operation) {
      const problems: string[] = []
      // All reads, because the credentials must see what is theirs.
      for (const credential of operation.reads ? world.credentials : choose(world.credentials))
        for (const variant of operation.variants)
          if (slotsIn(variant).length === 0) await ask(problems, operation, credential, variant)
      return problems
    },

    async refuse(operation) {
      const problems: string[] = []
      const [{ member }] = world.credentials as [Credential]
      for (const [name, headers] of Object.entries(world.refused)) {
        const get = async (args: unknown) => {
          const answer = await answerTo(world.send, operation.request(args, { era: 'legacy', headers }))
          if (answer.status !== 401) problems.push(`${operation.name} with ${name}: ${cut(answer.text)}`)
          return answer
        }
        for (const { slot, variants } of slotsOf(operation))
          for (const specimen of world.specimens.filter(({ kind }) => kind === slot.kind)) {
            const { id } = specimen
            const unknown = kindOf(slot.kind).unknown(id)
            const answer = await get(about(variants[0], slot, id, member))
            const other = await get(about(variants[0], slot, unknown, member))
            reportDifference(
              problems,
              `${operation.name} with ${name} about ${describe(specimen)}`,
              [answer, id],
              [other, unknown],
            )
          }
        await get(fill(operation.variants[0], ({ kind }) => ownOf(member, kind)))
      }
      return problems
    },

    async same(requests, status) {
      const problems: string[] = []
      const all = Object.entries(world.refused).map(([name, headers]) => ({ name, headers }))
      for (const credential of world.credentials) all.push({ name: nameOf(credential), headers: credential.headers })
      const [first, ...others] = all as [(typeof all)[0], ...typeof all]
      for (const request of requests) {
        let reference: Answer | undefined
        for (const { name, headers } of [first, ...choose(others)]) {
          const answer = await answerTo(world.send, { ...request, headers })
          reference ??= answer
          if (answer.status !== (status ?? answer.status))
            problems.push(`${request.method} ${request.url} with ${name}: answers ${cut(answer.text)}`)
          reportDifference(problems, `${request.method} ${request.url} with ${name}`, [answer, ''], [reference, ''])
        }
      }
      return problems
    },
  }
}

/** Returns the specimens of a member's organization and of one member of the other one; `turn` chooses which. */
function within({ specimens, members }: World, { orgId }: Member, turn: number): Specimen[] {
  const other = members.filter(member => member.orgId !== orgId)[turn % 2]
  return specimens.filter(({ owner }) => owner.orgId === orgId || owner === other)
}

/** Returns the variant with all parts and one other, by `turn`. All variants for every credential would take minutes. */
function two(variants: readonly unknown[], turn: number): unknown[] {
  return [...new Set([variants.at(-1), variants[turn % variants.length]])]
}

/** Returns the slots of an operation, each with the variants that contain it. */
function slotsOf({ variants }: Operation): { slot: Slot; variants: readonly unknown[] }[] {
  const slots = new Map(variants.flatMap(slotsIn).map(slot => [slot.path, slot]))
  return [...slots.values()].map(slot => ({
    slot,
    variants: variants.filter(variant => slotsIn(variant).some(({ path }) => path === slot.path)),
  }))
}

/** Adds a problem if two answers differ. */
function reportDifference(problems: string[], what: string, ...answers: Parameters<typeof difference>): void {
  const detail = difference(...answers)
  if (detail !== undefined) problems.push(`${what}: ${detail}`)
}

function shapeOf(kind: string): string {
  return Object.keys(kindOf(kind).shapes)[0] ?? ''
}

function nameOf({ kind, member }: Credential): string {
  return `${member.name}’s ${kind}`
}

function describe({ kind, shape, owner }: Specimen): string {
  return `${kind} of ${owner.name} (${shape})`
}
