import type { Writable } from 'node:stream'

/** Keeps the process alive if a stream's reader is gone or its disk is full. Without a listener Node throws the error. */
export function ignoreWriteErrors(...streams: readonly Writable[]): void {
  for (const stream of streams) if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
}

function ignore(): void {}
