import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { UsageError } from '../lib/errors/errors.ts'
import { secretOptions } from './run-command.ts'

/** The streams to read secrets from and to prompt on. */
interface Typing {
  stdin: Readable & { isTTY?: boolean }
  stderr: Writable
}

/**
 * Replaces each secret that is `-` with a line of standard input, in order, because a command line is visible in the process
 * list. In a terminal, it prompts for each secret without echo. Throws a UsageError if there are too few lines.
 */
export async function secretsFromStdin(args: readonly string[], typing: Typing): Promise<string[]> {
  const secrets = secretOptions(args).map(name => `--${name}`)
  const filled: string[] = []
  let lines: SecretLines | undefined
  try {
    for (let i = 0; i < args.length; i++) {
      const [arg = '', next] = [args[i], args[i + 1]]
      const inline = secrets.find(option => arg === `${option}=-`)
      const option = inline ?? (secrets.includes(arg) && next === '-' ? arg : undefined)
      if (option === undefined) {
        filled.push(arg)
        continue
      }
      if (inline === undefined) i++
      lines ??= readLines(typing)
      const line = await lines.next(option)
      if (!line)
        throw new UsageError(`${option} is -, but standard input has no line for it. Give one line for each secret.`)
      // In one word, because a secret can begin with a hyphen.
      filled.push(`${option}=${line}`)
    }
  } finally {
    lines?.close()
  }
  return filled
}

interface SecretLines {
  /** The next line without its line break; undefined at the end. */
  next(name: string): Promise<string | undefined>
  close(): void
}

function readLines({ stdin, stderr }: Typing): SecretLines {
  const terminal = stdin.isTTY === true
  // In raw mode the terminal does not echo, and readline's own echo goes to a stream that drops it.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: nowhere, terminal, historySize: 0, crlfDelay: Infinity })
  const lines = reader[Symbol.asyncIterator]()
  return {
    async next(name) {
      if (terminal) stderr.write(`${name.slice(2)}: `)
      const line = await lines.next()
      if (terminal) stderr.write('\n')
      return line.done === true ? undefined : line.value
    },
    close: () => reader.close(),
  }
}
