import t from 'tap'
import type { Grants } from '../../../services/credentials/grants.ts'
import { explainRemoteTool } from '../../../services/remote-connectors/calls/explain-remote-tool.ts'
import type { RemoteConnector } from '../../../services/remote-connectors/remote-connectors.ts'
import { remoteStatus } from '../../../services/remote-connectors/to-remote-entry.ts'
import { unavailableReason, unlistedReason } from '../../../services/remote-connectors/unavailable-reason.ts'
import { createRemoteCaller } from '../../../services/remote-connectors/upstream/remote-caller.ts'
import type { Upstreams } from '../../../services/remote-connectors/upstream/upstream.ts'
import { managedRemote } from '../../../tools/manage/remotes.ts'
import { madeAccount, madeOauth, madeRemote, madeSnapshot } from '../../fixtures/made-remote.ts'
import { commands } from '../../fixtures/operator-commands.ts'

const orgId = 'org_1'
const context = { caller: { orgId, userId: 'usr_1', role: 'member' as const }, origin: 'https://gateway.test' }

type Expected = { status: string; reason?: string; command?: RegExp; listed?: boolean }
const oauth = { mode: 'oauth' as const, oauth: madeOauth }
const header = { mode: 'header' as const, headerName: 'x-key' }
const cases: [RemoteConnector, Expected][] = [
  [served(madeRemote({ orgId })), { status: 'connected', listed: true }],
  [
    madeRemote({ orgId }),
    { status: 'disconnected', reason: 'no_snapshot', command: /manage__remote_refresh .*, which/ },
  ],
  [
    served(madeRemote({ orgId, hidden: true })),
    {
      status: 'connected',
      reason: 'hidden',
      command: /Ask the operator to run: npm run -s cli -- remote show wiki --org org_1$/,
    },
  ],
  [
    served(madeRemote({ orgId, auth: oauth })),
    {
      status: 'disconnected',
      reason: 'authorization_pending',
      command: /Ask the operator to run: npm run -s cli -- remote connect wiki --org org_1$/,
    },
  ],
  ...([{ mode: 'bearer' }, header] as const).map((auth): [RemoteConnector, Expected] => [
    madeRemote({ orgId, auth }),
    {
      status: 'disconnected',
      reason: 'authorization_pending',
      command: /Ask the operator to run: npm run -s cli -- remote connect wiki --org org_1 --token -$/,
    },
  ]),
  [
    ended(served(madeRemote({ orgId, auth: oauth }))),
    {
      status: 'needs_reauth',
      reason: 'needs_reauth',
      command: /Ask the operator to run: npm run -s cli -- remote connect wiki --org org_1$/,
      listed: true,
    },
  ],
  [
    ended(madeRemote({ orgId, auth: header })),
    {
      status: 'needs_reauth',
      reason: 'needs_reauth',
      command: /Ask the operator to run: npm run -s cli -- remote connect wiki --org org_1 --token -$/,
    },
  ],
]

t.test('the unavailable reason of a registration has the same text everywhere', async t => {
  for (const [remote, { status, reason, command, listed = false }] of cases) {
    const { registration, account } = remote
    const name = `${registration.auth.mode} ${reason}`
    const unavailable = unavailableReason(remote, commands)
    t.equal(remoteStatus(remote), status, name)
    t.equal(unavailable?.reason, reason, name)
    t.equal(unlistedReason(remote, commands) === undefined, listed, name)
    const explanation = unavailable?.explanation
    t.equal(managedRemote(remote, context, commands).next_step, explanation, name)
    const explained = explainRemoteTool([remote], 'org__wiki__read', commands)
    t.same(
      listed && explained !== undefined && 'entry' in explained ? explained.unavailable : explained,
      unavailable,
      name,
    )
    if (command !== undefined) t.match(explanation, command, name)
    if (registration.auth.mode === 'none' || account !== undefined) continue
    const unused = {
      grants: {} as Grants,
      upstreams: {} as Upstreams,
      fixedHeaders: { open: () => ({}) },
      signAssertion: async () => '',
    }
    const called = createRemoteCaller({ commands, ...unused })
    const options = { signal: new AbortController().signal, deadlineMs: 1_000 }
    await t.rejects(called.listTools(remote, options), { code: 'needs_reauth', message: explanation ?? '' }, name)
  }
})

t.test('a tool is not reported as absent if not all rejected tools are named', async t => {
  const explain = (count: number) => {
    const remote = madeRemote({ orgId })
    const snapshot = { ...madeSnapshot, rejected: { ...madeSnapshot.rejected, count } }
    return explainRemoteTool([{ ...remote, snapshot }], 'org__wiki__gone', commands)
  }
  t.match(explain(1), { reason: 'unknown_tool', explanation: /had no such tool/ })
  t.match(explain(120), { reason: 'unknown_tool', explanation: /published no such tool/ })
})

function served(remote: RemoteConnector): RemoteConnector {
  return { ...remote, snapshot: madeSnapshot }
}

function ended(remote: RemoteConnector): RemoteConnector {
  return { ...remote, account: madeAccount(remote, { status: 'needs_reauth' }) }
}

t.test('an upstream’s own tool name is explained for every upstream that has it', t => {
  const [wiki, docs] = ['wiki', 'docs'].map(slug => served(madeRemote({ orgId, slug, name: `The ${slug}` })))
  const other = served(madeRemote({ orgId, slug: 'off', name: 'Off', hidden: true }))
  if (wiki === undefined || docs === undefined) throw new Error('unmade')
  t.match(explainRemoteTool([wiki, docs, other], 'read', commands), {
    reason: 'unknown_tool',
    explanation: /^The wiki .* org__wiki__read\. The docs .* org__docs__read\. The tools of Off are hidden .*/,
  })
  t.equal(explainRemoteTool([wiki, docs], 'nothing', commands), undefined)
  t.end()
})
