import t from 'tap'
import type { RemoteConnector } from '../../../services/remote-connectors/remote-connectors.ts'
import { createRemoteOffers } from '../../../services/remote-connectors/resources/resources-and-prompts.ts'
import { NO_OFFERS, type Offers, type PinnedResource } from '../../../services/remote-connectors/snapshot.ts'
import { madeRemote, madeSnapshot } from '../../fixtures/made-remote.ts'
import { commands } from '../../fixtures/operator-commands.ts'

const announced = { resources: true, prompts: true }

function resources(count: number): Offers {
  const made = Array.from({ length: count }, (_, i): PinnedResource => ({ uri: `a:${i}`, name: 'x', hash: `${i}` }))
  return { ...NO_OFFERS, announced, resources: made }
}

/** A registration that offers these; `age` orders the registrations. */
function remote(slug: string, offers: Offers, age = 0, fields: Partial<RemoteConnector> = {}): RemoteConnector {
  const made = madeRemote({ orgId: 'org_1', id: `rem_${slug}`, slug, createdAt: new Date(age) })
  return { ...made, snapshot: { ...madeSnapshot, offers }, ...fields }
}

/** The registrations whose offers are served, and the warnings. */
async function served(all: readonly RemoteConnector[]) {
  const warned: unknown[] = []
  const never = () => Promise.reject(new TypeError('Nothing is requested'))
  const { of } = createRemoteOffers({
    remotes: { list: async () => all },
    remoteCaller: { readResource: never, getPrompt: never },
    commands,
    log: { warn: (about: object) => void warned.push(about) },
  })
  return { slugs: (await of('org_1')).map(({ capability }) => capability), warned }
}

t.test('a registration whose tools are all left out offers nothing, one that lists some tools does', async t => {
  const tools = [
    ...madeSnapshot.tools,
    { ...madeSnapshot.tools[0], name: 'other', originalName: 'other' },
  ] as typeof madeSnapshot.tools
  const snapshot = { ...madeSnapshot, tools, offers: resources(1) }
  const all = [1, 2].map(leftOut => remote(`left-${leftOut}`, NO_OFFERS, 0, { snapshot, leftOut }))
  t.same((await served(all)).slugs, ['org__left-1'])
  const [one] = all
  const override = { originalName: 'read', hash: 'x', hidden: true as const, setBy: 'usr_1', setAt: 0 }
  const hiding = one && { ...one, registration: { ...one.registration, overrides: [override] } }
  t.same((await served(hiding ? [hiding] : [])).slugs, [], 'a tool that an admin has hidden is not listed')
  const noTools = { ...madeSnapshot, tools: [], offers: resources(1) }
  t.same((await served([remote('none', NO_OFFERS, 0, { snapshot: noTools })])).slugs, ['org__none'])
})

t.test(
  'the offers of an organization are limited: the oldest registrations fit first, and the log names the others',
  async t => {
    const { slugs, warned } = await served([
      remote('third', resources(500), 3),
      remote('first', resources(1_000), 1),
      remote('second', resources(800), 2),
      remote('fourth', resources(100), 4),
    ])
    t.same(slugs, ['org__first', 'org__second', 'org__fourth'])
    t.match(warned, [{ org: 'org_1', slug: 'third' }])
  },
)

t.test('registrations that are hidden, pending or without a snapshot offer nothing', async t => {
  const hidden = remote('hidden', resources(1))
  const pending = remote('pending', resources(1))
  const all = [
    { ...hidden, registration: { ...hidden.registration, hidden: true } },
    { ...pending, registration: { ...pending.registration, auth: { mode: 'bearer' as const } } },
    { ...remote('new', resources(1)), snapshot: undefined },
  ]
  t.same((await served(all)).slugs, [])
})
