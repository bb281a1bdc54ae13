import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { InjectOptions } from 'fastify'
import { sample } from '../sample.ts'
import { type Answer, answerTo, cut, difference } from './answers.ts'
import type { Operation } from './operations.ts'
import { fill, type Slot, slotsIn } from './variants.ts'
import { type Credential, kindOf, type Member, type Specimen, type World } from './world.ts'

/** The parts of the matrix; each answers with a sentence for everything it found wrong. */
interface Matrix {
  /** No answer to what needs no identifier shows anything that is another's. */
  sweep(operation: Operation): Promise<string[]>
  /** What is another's, or gone, answers as what never was, and stays as it is; one's own answers otherwise. */
  probe(operation: Operation): Promise<string[]>
  /** The result that is stored under an idempotency key is its holder's alone. */
  replay(operation: Operation): Promise<string[]>
  /** Without a good credential, what exists answers as what never was: 401. */
  refuse(operation: Operation): Promise<string[]>
  /** Requests outside of every operation answer everybody alike, credential or none; with the status, where one is named. */
  same(requests: readonly InjectOptions[], status?: number): Promise<string[]>
  /** Texts that may be seen and were, by the credential they were shown to. */
  readonly seen: ReadonlyMap<Credential, ReadonlySet<string>>
}

const CHANGED = ': changed it'

const ANY_ID = /\b[a-z]{3}_[0-9a-f]{32}\b/g

export function createMatrix(world: World): Matrix {
  const seen = new Map<Credential, Set<string>>(world.credentials.map(credential => [credential, new Set()]))

  /** Asks with a good credential, and looks through the answer for what the caller must not see. */
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
      problems.push(`${who}: an MCP token was let in off /mcp: ${cut(answer.text)}`)
    const sent = JSON.stringify(args)
    for (const { text, sees } of world.markers) {
      if (!answer.text.includes(text) || sent.includes(text)) continue
      if (sees(credential.member)) seen.get(credential)?.add(text)
      else problems.push(`${who}: shows “${text}”, which is not for ${credential.member.name}`)
    }
    return answer
  }

  /** The arguments with this slot filled, and every other with something of the caller's own. */
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
      const pairs = sample(pairsOf(operation, slot, variants))
      problems.push(...(await compareAll(operation, pairs)))
      // Who changed something is asked only when something was changed: the questions are a third of all queries.
      if ((await statesOf(slot.kind)) !== before) {
        const changes = (await compareAll(operation, pairs, 'watching')).filter(one => one.includes(CHANGED))
        problems.push(...(changes.length > 0 ? changes : [`${operation.name} about ${slot.path}${CHANGED} once`]))
      }
      for (const one of sample(controlsOf(operation, slot)))
        await control(problems, operation, { slot, variants, ...one })
    }
    return problems
  }

  /** All that is kept of the specimens of a kind. */
  async function statesOf(kind: string): Promise<string> {
    const states = world.specimens.filter(one => one.kind === kind).map(stateOf)
    return (await Promise.all(states)).join('\n')
  }

  async function stateOf({ kind, owner, id }: Specimen): Promise<string> {
    return JSON.stringify(await kindOf(kind).state?.(world, owner, id))
  }

  /** What each credential may not reach, and the variants to ask for it with. */
  function pairsOf(operation: Operation, slot: Slot, variants: readonly unknown[]) {
    return world.credentials.flatMap((credential, i) => {
      // One further with each member, so that no kind of credential meets only one half.
      const turn = i + Math.floor(i / 4)
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
    // At once, because none of these calls may change anything.
    await Promise.all(
      pairs.map(pair => {
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
      const theirs = await ask(problems, operation, credential, about(variant, slot, id, credential.member))
      const after = await state()
      if (after !== before) problems.push(`${what}${CHANGED}: ${cut(before)} → ${cut(after)}`)
      const nobodys = await ask(problems, operation, credential, about(variant, slot, unknown, credential.member))
      differs(problems, what, [theirs, id], [nobodys, unknown])
    }
  }

  /** What each credential that gets past the gate may reach. */
  function controlsOf(operation: Operation, { kind }: Slot) {
    return world.credentials
      .filter(credential => operation.opens(credential))
      .flatMap(credential =>
        Object.entries(kindOf(kind).shapes).flatMap(([shape, sees]) =>
          world.members.filter(owner => sees(credential.member, owner)).map(owner => ({ credential, shape, owner })),
        ),
      )
  }

  /** What the caller sees must be answered differently from an unknown one. Otherwise the comparisons prove nothing. */
  async function control(
    problems: string[],
    operation: Operation,
    on: { slot: Slot; variants: readonly unknown[]; credential: Credential; shape: string; owner: Member },
  ): Promise<void> {
    const { slot, variants, credential, shape, owner } = on
    const { unknown, nothing = unknown } = kindOf(slot.kind)
    for (const variant of variants) {
      const id = operation.reads ? specimenOf(slot.kind, owner, shape) : await world.make(slot.kind, owner, shape)
      const nobodys = nothing(id)
      const theirs = await ask(problems, operation, credential, about(variant, slot, id, credential.member))
      const other = await ask(problems, operation, credential, about(variant, slot, nobodys, credential.member))
      if (difference([theirs, id], [other, nobodys]) !== undefined) return
    }
    problems.push(
      `${operation.name} by ${nameOf(credential)} about ${slot.path}: answers about the ${slot.kind} (${shape}) of ${owner.name} as about an unknown one, so that the comparison proves nothing. If a gate stands before the look-up, say so in ROUTES or in the tool.`,
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
    let kept = 0
    for (const variant of operation.variants)
      for (const holder of sample(holders)) {
        const ids = new Map<string, string>()
        for (const { path, kind } of slotsIn(variant)) ids.set(path, await world.make(kind, a1, shapeOf(kind)))
        const args = fill(variant, ({ path }) => ids.get(path))
        const key = randomUUID()
        const first = await ask(problems, operation, holder, args, key)
        if (first.body.includes('"isError":true')) continue
        kept++
        const again = await ask(problems, operation, holder, args, key)
        // A stored result has its properties in the order of the database.
        if (!isDeepStrictEqual(JSON.parse(again.body), JSON.parse(first.body)))
          problems.push(`${operation.name} by ${nameOf(holder)}: did not get their stored result: ${cut(again.text)}`)
        const on = { variant, ids, key, first }
        await Promise.all(sample(strangers).map(stranger => repeat(problems, operation, { ...on, stranger })))
      }
    if (kept === 0) problems.push(`${operation.name}: no call of ${a1.name} succeeded, so no result was stored`)
    return problems
  }

  /** Sends what another has sent already, with their key. */
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
    for (const [id] of first.body.matchAll(ANY_ID))
      if (second.body.includes(id) && !sent.includes(id)) problems.push(`${what}: got their result, with ${id}`)

    for (const slot of slotsIn(variant)) {
      const { shapes, unknown, shapeOf: became } = kindOf(slot.kind)
      const [owner] = world.members as [Member]
      const id = ids.get(slot.path) ?? ''
      const shape = became === undefined ? shapeOf(slot.kind) : await became(world, owner, id)
      if (shape !== undefined && shapes[shape]?.(stranger.member, owner) === true) continue
      const nobodys = unknown(id)
      const unkept = fill(variant, ({ path }) => (path === slot.path ? nobodys : ids.get(path)))
      const other = await ask(problems, operation, stranger, unkept, randomUUID())
      differs(problems, what, [second, id], [other, nobodys])
    }
  }

  return {
    seen,
    probe,
    replay,

    async sweep(operation) {
      const problems: string[] = []
      // All reads, because the credentials must see what is theirs.
      for (const credential of operation.reads ? world.credentials : sample(world.credentials))
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
            const theirs = await get(about(variants[0], slot, id, member))
            const nobodys = await get(about(variants[0], slot, unknown, member))
            differs(
              problems,
              `${operation.name} with ${name} about ${describe(specimen)}`,
              [theirs, id],
              [nobodys, unknown],
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
      const [none, ...others] = all as [(typeof all)[0], ...typeof all]
      for (const request of requests) {
        let first: Answer | undefined
        for (const { name, headers } of [none, ...sample(others)]) {
          const answer = await answerTo(world.send, { ...request, headers })
          first ??= answer
          if (answer.status !== (status ?? answer.status))
            problems.push(`${request.method} ${request.url} with ${name}: answers ${cut(answer.text)}`)
          differs(problems, `${request.method} ${request.url} with ${name}`, [answer, ''], [first, ''])
        }
      }
      return problems
    },
  }
}

/** What is in a member's own organization, and what one member of the other has: of whom, the credentials take turns. */
function within({ specimens, members }: World, { orgId }: Member, turn: number): Specimen[] {
  const other = members.filter(member => member.orgId !== orgId)[turn % 2]
  return specimens.filter(({ owner }) => owner.orgId === orgId || owner === other)
}

/** Everything at once, and one of the others: of these too the credentials take turns, or the matrix would take minutes. */
function two(variants: readonly unknown[], turn: number): unknown[] {
  return [...new Set([variants.at(-1), variants[turn % variants.length]])]
}

/** The slots of an operation, each with the variants it stands in. */
function slotsOf({ variants }: Operation): { slot: Slot; variants: readonly unknown[] }[] {
  const slots = new Map(variants.flatMap(slotsIn).map(slot => [slot.path, slot]))
  return [...slots.values()].map(slot => ({
    slot,
    variants: variants.filter(variant => slotsIn(variant).some(({ path }) => path === slot.path)),
  }))
}

/** Takes note of where two answers part. */
function differs(problems: string[], what: string, ...answers: Parameters<typeof difference>): void {
  const found = difference(...answers)
  if (found !== undefined) problems.push(`${what}: ${found}`)
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
