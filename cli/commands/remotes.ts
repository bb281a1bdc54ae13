import { remoteStatus } from '../../services/remote-connectors/to-remote-entry.ts'
import { leftOutReason, unavailableReason } from '../../services/remote-connectors/unavailable-reason.ts'
import { type Command, command, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

const ORG = { org: required('ORG') }

export const REMOTE_COMMANDS: readonly Command<OperatorServices>[] = [
  command('remote list', {
    about: 'the MCP servers that an organization has registered, hidden ones too',
    options: ORG,
    async run({ remotes, members }: OperatorServices, { org }) {
      // Refuses an organization that does not exist, whose servers would be none.
      await members.list(org)
      const list = await remotes.list(org)
      return {
        remotes: list.map(remote => {
          const { slug, name, upstreamUrl, auth, hidden, createdBy } = remote.registration
          const { snapshot } = remote
          return {
            id: slug,
            name,
            upstream_url: upstreamUrl,
            auth_mode: auth.mode,
            status: remoteStatus(remote),
            hidden,
            tools: snapshot?.tools.length ?? null,
            set_aside: snapshot?.rejected.count ?? null,
            not_listed: remote.leftOut,
            snapshot_fetched_at: snapshot?.fetchedAt.toISOString() ?? null,
            created_by: createdBy,
            next_step: (unavailableReason(remote) ?? leftOutReason(remote))?.explanation ?? null,
          }
        }),
      }
    },
  }),
  ...(['hide', 'show'] as const).map(verb =>
    command(`remote ${verb}`, {
      about:
        verb === 'hide'
          ? 'take the tools of a registered MCP server from the organization; its entry stays'
          : 'give the organization the tools of a hidden MCP server back',
      positional: 'SLUG',
      options: ORG,
      async run({ remotes }: OperatorServices, { positional: slug, org }) {
        await remotes.setHidden(org, slug, verb === 'hide', 'operator')
        return { id: slug, hidden: verb === 'hide' }
      },
    }),
  ),
]
