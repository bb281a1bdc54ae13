import type { Scrubber } from '../../lib/logging/scrub.ts'
import { sanitizeLine } from '../../lib/sanitize-text.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import { agentOf, isSignedIn, keyIdOf } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { RegisteredNames } from '../local-issuer/registered-names.ts'
import type { ToolOutcome } from '../tool-calls/call.ts'
import { createCalls } from './calls.ts'
import { defineUsageRollUp } from './roll-up.ts'
import { createUsageSummaries } from './usage-summary.ts'
import { createUsageWriter, type ToolCallEvent, toolCallChannel, type UsageEvent } from './usage-writer.ts'
import { createWriteBehind, type Schedule } from './write-behind.ts'

/** The most characters of a failed call's message. */
const MAX_MESSAGE = 300

interface UsageOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids'> {
  log: Pick<Logger, 'warn'>
  /** Redacts credentials in the messages of failed calls. */
  scrub: Scrubber['text']
  registeredNames?: RegisteredNames | undefined
  /** Schedules work and returns how to cancel it. Default: a timer that does not keep the process alive. */
  schedule?: Schedule
}

/**
 * Writes a row for every call with a delay: a killed process loses at most the calls of 1 s. A charge of a job is in its row
 * from the transaction that captures it. The costs in the rows are for information. The ledger, which loses nothing, holds the charges.
 */
interface Usage {
  /** Records a finished call and publishes it. Ignores calls without an organization. */
  record(outcome: ToolOutcome): void
  /** Writes the queued rows. Resolves when they are written or the attempt failed. */
  flush(): Promise<void>
  /** Accepts no more calls and writes the queued rows. */
  close(): Promise<void>
}

/** A client ID can be a URL. */
const MAX_CLIENT = 200

export function createUsage({ db, clock, ids, log, scrub, registeredNames, schedule }: UsageOptions): Usage {
  const write = createUsageWriter({ db, log, registeredNames })
  const queue = createWriteBehind<UsageEvent>({ name: 'usage', write, log, schedule })

  return {
    record({
      tool,
      identity,
      caller,
      clientName,
      accountId,
      outcome,
      durationMs,
      costMicros,
      usageId,
      failure,
      mended = false,
    }) {
      if (caller === null) return
      const oauthClient = isSignedIn(identity) && identity.clientId !== '' ? identity.clientId : undefined
      const event: ToolCallEvent = {
        orgId: caller.orgId,
        userId: caller.userId,
        keyId: keyIdOf(identity),
        agentId: agentOf(identity)?.id ?? null,
        client: clientName ?? oauthClient?.slice(0, MAX_CLIENT) ?? null,
        tool,
        accountId,
        outcome,
        durationMs,
        costMicros,
        at: clock.now(),
      }
      const message = failure === undefined ? null : sanitizeLine(scrub(failure), MAX_MESSAGE)
      const unnamedClient = clientName === undefined ? oauthClient : undefined
      queue.add({ ...event, id: usageId ?? ids('use'), message, mended, unnamedClient })
      toolCallChannel.publish(event)
    },
    flush: () => queue.flush(),
    close: () => queue.close(),
  }
}

interface UsageServicesOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'log' | 'jobs'> {
  scrub: Scrubber['text']
  registeredNames: RegisteredNames | undefined
}

/** Creates what records usage and what sums it up, and the job that rolls it up by day. */
export function createUsageServices(options: UsageServicesOptions) {
  const { db, clock, jobs } = options
  defineUsageRollUp(jobs, { db, clock })
  return {
    usage: createUsage(options),
    usageSummaries: createUsageSummaries({ db, clock }),
    calls: createCalls({ db, clock }),
  }
}
