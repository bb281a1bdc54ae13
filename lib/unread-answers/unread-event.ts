import { channel } from 'node:diagnostics_channel'

/** The answers that wait for their readers in this process, and what was done about them since the last event. */
export interface UnreadEvent {
  /** Bytes of answers that are kept in memory until their readers take them. */
  bytes: number
  /** Connections that these bytes wait on. */
  connections: number
  /** Connections that were cut because their client did not read, or to make room. */
  cut: number
  /** Requests that were refused, or whose answer was dropped, because of the bounds. */
  refused: number
}

/** Where unread answers are reported once a second, as `UnreadEvent`: for metrics. */
export const UNREAD_CHANNEL = 'connector-gateway:unread-answers'

const unread = channel(UNREAD_CHANNEL)

/** Reports to the subscribers; costs nothing without any. */
export function publishUnread(event: UnreadEvent): void {
  if (unread.hasSubscribers) unread.publish(event)
}
