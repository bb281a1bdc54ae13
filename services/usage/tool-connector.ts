import { type RawBuilder, sql } from 'kysely'
import { remoteCapability } from '../../schemas/remote-names.ts'

/**
 * The connector of the column `tool`: its capability, as the registry has it, so `memory` of `memory__remember` and
 * `org__wiki` of `org__wiki__search`.
 */
export const toolConnector: RawBuilder<string> = sql`
  case when starts_with(tool, ${remoteCapability('')}) then ${remoteCapability('')} || split_part(tool, '__', 2)
  else split_part(tool, '__', 1) end`
