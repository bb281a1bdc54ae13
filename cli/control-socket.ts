import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { UsageError } from '../lib/errors/errors.ts'
import type { Logger } from '../schemas/log.ts'

type Answer = { result: object } | { error: string }

/** A umask that takes all rights from everyone else. It keeps the owner's: other threads may create directories meanwhile. */
const OWNER_ONLY = 0o077

/** The largest command that is read. */
const MAX_COMMAND = 64 * 1024
/** How long a client may say nothing before its command is whole. */
const PATIENCE_MS = 5_000

/** Where a gateway on the embedded database takes the operator's commands: the database belongs to its process alone. */
export function controlSocketPath(dataDir: string): string {
  return join(dataDir, 'control.sock')
}

/**
 * Runs commands that come over the control socket, each one connection: its arguments as a JSON array, answered by one
 * JSON object. The socket is its owner's alone (mode 0600). Answers how to stop.
 */
export async function serveControlSocket({
  dataDir,
  log,
  run,
}: {
  dataDir: string
  log: Logger
  run(args: string[]): Promise<object>
}): Promise<() => Promise<void>> {
  const path = controlSocketPath(dataDir)
  // Left behind by a process that was killed: the directory lock says that none is running.
  await rm(path, { force: true })
  const clients = new Set<Socket>()
  /** Those whose command came whole: they are answered. */
  const running = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, socket => void answer(socket))

  async function answer(socket: Socket): Promise<void> {
    clients.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      clients.delete(socket)
      running.delete(socket)
    })
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    try {
      const args: unknown = JSON.parse(await readAll(socket))
      socket.setTimeout(0)
      running.add(socket)
      if (!Array.isArray(args) || !args.every(arg => typeof arg === 'string'))
        throw new Error('A command is a JSON array of strings.')
      socket.end(JSON.stringify({ result: await run(args) } satisfies Answer))
    } catch (error) {
      socket.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) } satisfies Answer))
    }
  }

  try {
    await listen(server, path)
    await chmod(path, 0o600)
  } catch (error) {
    // A path of over 100 characters is one that no socket can have; the gateway is worth more than its back door.
    log.warn({ err: error, path }, 'No control socket: commands have to wait until the gateway is stopped.')
  }
  return async function stopServing() {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    for (const socket of clients) if (!running.has(socket)) socket.destroy()
    await closed
  }
}

/** Listens on a socket that has no rights for others at any time, whatever the umask of the process is. */
async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const umask = process.umask(OWNER_ONLY)
    try {
      // Node creates the socket within this call, before it returns.
      server.once('error', reject).listen(path, resolve)
    } finally {
      process.umask(umask)
    }
  })
}

async function readAll(socket: Socket): Promise<string> {
  let size = 0
  const chunks: Buffer[] = []
  // The socket must outlive the loop: the refusal goes back over it.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_COMMAND) throw new Error('This command is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Hands a command to the gateway that runs on this directory; undefined when none does. Throws the command's own error, and
 * one that says so where the gateway ends without an answer.
 */
export async function sendToGateway(dataDir: string, args: readonly string[]): Promise<object | undefined> {
  const socket = connect({ path: controlSocketPath(dataDir), allowHalfOpen: true })
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED'))
      return undefined
    throw error
  }
  socket.end(JSON.stringify(args))
  const answer = answerOf(await text(socket).catch(() => ''))
  if ('error' in answer) throw new UsageError(answer.error)
  return answer.result
}

/** What the gateway said; one that is killed cuts its answer off, or gives none. */
function answerOf(said: string): Answer {
  try {
    return JSON.parse(said)
  } catch {
    throw new UsageError(
      'The gateway went away before it answered; the command may have been done: look before you repeat it.',
    )
  }
}
