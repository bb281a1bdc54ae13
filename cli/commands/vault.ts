import type { VaultKeyUse } from '../../lib/vault/rotate.ts'
import { type Command, command } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

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
