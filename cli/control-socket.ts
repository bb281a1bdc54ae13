import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { UsageError } from '../lib/errors/errors.ts'
import type { Logger } from '../schemas/gateway/log.ts'

type Answer = { result: object } | { error: string }

/** Removes all rights of others. It keeps the owner's, because other threads can create directories at the same time. */
const OWNER_ONLY = 0o077

/** The maximum size of a command in bytes. */
const MAX_COMMAND = 64 * 1024
/** How long a client can be silent before its command is complete. */
const CLIENT_TIMEOUT_MS = 5_000

/** The socket where a gateway accepts the operator's commands. Needed because only one process can open the embedded database. */
export function controlSocketPath(dataDir: string): string {
  return join(dataDir, 'control.sock')
}

/**
 * Runs the commands of the control socket. A connection carries one command: a JSON array of arguments in, one JSON object
 * out. Only the owner can open the socket (mode 0600). Returns a function that stops serving.
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
  // A killed process leaves its socket behind. The directory lock proves that no other gateway runs.
  await rm(path, { force: true })
  const clients = new Set<Socket>()
  /** Clients whose complete command is running; they get their answer before the socket closes. */
  const running = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, socket => void answer(socket))

  async function answer(socket: Socket): Promise<void> {
    clients.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      clients.delete(socket)
      running.delete(socket)
    })
    socket.setTimeout(CLIENT_TIMEOUT_MS, () => socket.destroy())
    try {
      const args: unknown = JSON.parse(await readAll(socket))
      socket.setTimeout(0)
      running.add(socket)
      if (!Array.isArray(args) || !args.every(arg => typeof arg === 'string'))
        throw new Error('A command must be a JSON array of strings.')
      socket.end(JSON.stringify({ result: await run(args) } satisfies Answer))
    } catch (error) {
      socket.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) } satisfies Answer))
    }
  }

  try {
    await listen(server, path)
    await chmod(path, 0o600)
  } catch (error) {
    // For example, the path exceeds the limit of about 100 characters. The gateway runs without the socket.
    log.warn({ err: error, path }, 'cannot open the control socket; stop the gateway before you run commands')
  }
  return async function stopServing() {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    for (const socket of clients) if (!running.has(socket)) socket.destroy()
    await closed
  }
}

/** Listens on a socket that others can never open, whatever the umask of the process is. */
async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const umask = process.umask(OWNER_ONLY)
    try {
      // Node creates the socket before this call returns.
      server.once('error', reject).listen(path, resolve)
    } finally {
      process.umask(umask)
    }
  })
}

async function readAll(socket: Socket): Promise<string> {
  let size = 0
  const chunks: Buffer[] = []
  // Keep the socket open after the loop: an error is sent over it.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_COMMAND) throw new Error(`This command exceeds ${MAX_COMMAND} bytes. Shorten it.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Sends a command to the gateway that runs on this directory. Returns undefined if none runs. Throws the error of the
 * command, or one that says that the gateway stopped without an answer.
 */
export async function sendToGateway(dataDir: string, args: readonly string[]): Promise<object | undefined> {
  const socket = await connectTo(dataDir)
  if (socket === undefined) return undefined
  socket.end(JSON.stringify(args))
  const answer = answerOf(await text(socket).catch(() => ''))
  if ('error' in answer) throw new UsageError(answer.error)
  return answer.result
}

/** Whether a gateway serves the control socket of this directory. */
export async function isGatewayRunning(dataDir: string): Promise<boolean> {
  const socket = await connectTo(dataDir)
  socket?.destroy()
  return socket !== undefined
}

/** Connects to the control socket; undefined if no gateway serves it. */
async function connectTo(dataDir: string): Promise<Socket | undefined> {
  const socket = connect({ path: controlSocketPath(dataDir), allowHalfOpen: true })
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return socket
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED'))
      return undefined
    throw error
  }
}

/** Parses the answer. A gateway that is killed sends a truncated one or none. */
function answerOf(said: string): Answer {
  try {
    return JSON.parse(said)
  } catch {
    throw new UsageError(
      'The gateway stopped before it answered. The command may have run: check its effect before you repeat it.',
    )
  }
}
