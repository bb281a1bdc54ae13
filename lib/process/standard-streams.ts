import type { Writable } from 'node:stream'

/** Keeps the process alive if a stream's reader is gone or its disk is full. Without a listener Node throws the error. */
export function ignoreWriteErrors(...streams: readonly Writable[]): void {
  for (const stream of streams) if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
}

function ignore(): void {}

/** Makes a command exit with 1 if its answer is lost, and says why, unless the reader closed a pipe by itself. */
export function failOnLostAnswer(subject: NodeJS.Process): void {
  ignoreWriteErrors(subject.stderr)
  subject.stdout.on('error', (error: NodeJS.ErrnoException) => {
    subject.exitCode = 1
    if (error.code !== 'EPIPE') subject.stderr.write(`Cannot write to standard output: ${error.message}.\n`)
  })
}
