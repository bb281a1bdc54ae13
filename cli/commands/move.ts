import { counted } from '../../lib/wording.ts'
import { dollars } from '../../schemas/money.ts'
import type { Moved } from '../../services/move/move-embedded.ts'
import { createOperatorCommands } from '../../services/operator/operator-commands.ts'
import { type Command, command, optional } from './command.ts'

/** What the move needs of the process that runs it. */
export interface Mover {
  environment: string
  /** Precedes the words of a command. */
  commandPrefix: string
  /** The secrets to set, as lines of an environment file. */
  secretsToSet(): readonly string[]
  move(options: { toDataDir: string | undefined }): Promise<Moved>
}

/** Moves the data of a stopped gateway. Runs in the operator's process, because it opens two databases. */
export const MOVE: Command<Mover> = command('migrate --from-embedded', {
  about:
    'copy everything from the embedded database in DATA_DIR to the empty PostgreSQL database of DATABASE_URL; prints secrets',
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
      ledger: `no differences in ${counted(ledger.postings, 'posting')} of ${counted(ledger.organizations, 'organization')}`,
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
      next: `Start the gateway with GATEWAY_ENV=${mover.environment}, the same DATABASE_URL and these settings. docs/operations.md, "Moving to PostgreSQL", has all steps.`,
    }
  },
})
