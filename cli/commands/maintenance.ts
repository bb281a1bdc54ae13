import { formatCount } from '../../lib/format-text.ts'
import { dollars } from '../../schemas/billing/money.ts'
import { createOperatorCommands } from '../../services/operator/operator-commands.ts'
import type { VaultKeyUse } from '../../services/vault-rotation.ts'
import type { Moved } from '../move/move-embedded.ts'
import { type Command, command, optional } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

/** What the move needs of the process that runs it. */
export interface Mover {
  environment: string
  /** What precedes the words of a command. */
  commandPrefix: string
  commandVariables: readonly string[]
  /** The secrets to set, as lines of an environment file. */
  secretsToSet(): readonly string[]
  move(options: { toDataDir: string | undefined }): Promise<Moved>
}

/** Moves the data of a stopped gateway. Runs in the operator's process, because it opens two databases. */
export const MOVE: Command<Mover> = command('migrate --from-embedded', {
  about:
    'copy all data from the embedded database in DATA_DIR to the empty PostgreSQL database at DATABASE_URL; prints secrets',
  options: { 'to-data-dir': optional('DIR') },
  async run(mover: Mover, { 'to-data-dir': toDataDir }) {
    const moved = await mover.move({ toDataDir })
    const { artifacts, ledger, sealed } = moved
    const commands = createOperatorCommands(mover)
    return {
      moved: true,
      from: moved.from,
      to: `${moved.host}, database ${moved.database}`,
      environment: mover.environment,
      seconds: Math.round(moved.seconds * 10) / 10,
      rows: moved.tables.reduce((sum, { rows }) => sum + rows, 0),
      tables: moved.tables.filter(({ rows }) => rows > 0),
      files: artifacts.files,
      file_bytes: artifacts.bytes,
      damaged_files: artifacts.damaged.map(id => ({ damaged_file: id })),
      sealed_values: sealed.sealed,
      sealed_values_lost_before: sealed.lost,
      ledger: `no differences in ${formatCount(ledger.postings, 'posting')} of ${formatCount(ledger.organizations, 'organization')}`,
      reversed_credits: moved.reversed.map(({ orgId, id, amountMicros }) => ({
        reversed_credit_of: orgId,
        amount: dollars(amountMicros),
        posting: id,
      })),
      rejected_keys: moved.rejectedKeys.map(({ id, prefix, last4, name, email, orgId, userId, agentId }) => ({
        rejected_key: id,
        hint: `${prefix}…${last4}`,
        name,
        email,
        replace_with: commands.createKey({ orgId, userId, agentId }),
      })),
      settings: mover.secretsToSet().map(line => ({ set_these: line })),
      next: `Start the gateway with GATEWAY_ENV=${mover.environment}, the same DATABASE_URL and these settings. docs/deployment.md, "Moving to PostgreSQL", has all steps.`,
    }
  },
})

export const VAULT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('vault rotate', {
    about: 'reseal all secrets with the first key of VAULT_KEYS, without downtime; then remove the other keys',
    options: {},
    async run({ vaultRotation }: OperatorServices) {
      const done = await vaultRotation.rotate()
      return done.left === 0 ? done : { ...done, note: whyLeft(await vaultRotation.keysInUse()) }
    },
  }),
  command('vault keys', {
    about: 'count the secrets per key; remove a key without secrets from VAULT_KEYS',
    options: {},
    async run({ vaultRotation }: OperatorServices) {
      return { keys: await vaultRotation.keysInUse() }
    },
  }),
]

/** Why values are not sealed with the first key after a rotation, and what to do. */
function whyLeft(keys: readonly VaultKeyUse[]): string {
  const missed = keys.filter(({ configured }) => !configured).map(({ id }) => id)
  if (missed.length > 0)
    return (
      `VAULT_KEYS does not contain the keys of the remaining secrets: ${missed.join(', ')}. Add them after the first key, ` +
      'on every process, and rotate again. If a key is lost, connect the accounts that it sealed again.'
    )
  return (
    'A process with another first key in VAULT_KEYS still seals with that key, or some secrets cannot be opened (see the ' +
    'log). Put the same key first on every process, restart them, and rotate again.'
  )
}
