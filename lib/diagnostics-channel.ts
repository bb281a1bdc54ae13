import { channel } from 'node:diagnostics_channel'

/** A channel of `node:diagnostics_channel` whose messages have one type: how metrics and traces observe the gateway. */
interface DiagnosticsChannel<Message extends object> {
  /** What subscribers pass to `subscribe`. */
  readonly name: string
  /** Publishes a message to the subscribers. Costs nothing without any. */
  publish(message: Message): void
}

export function diagnosticsChannel<Message extends object>(name: string): DiagnosticsChannel<Message> {
  const target = channel(name)
  return {
    name,
    publish(message) {
      if (target.hasSubscribers) target.publish(message)
    },
  }
}
