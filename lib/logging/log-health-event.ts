import { channel } from 'node:diagnostics_channel'
import type { LogHealth } from '../../schemas/log.ts'

/** Publishes a `LogHealth` when the log starts or stops failing, and once a second while lines are lost. */
export const LOG_HEALTH_CHANNEL = 'connector-gateway:log-health'

const logHealth = channel(LOG_HEALTH_CHANNEL)

/** Publishes to subscribers, such as metrics. Costs nothing without any. */
export function publishLogHealth(health: LogHealth): void {
  if (logHealth.hasSubscribers) logHealth.publish(health)
}
