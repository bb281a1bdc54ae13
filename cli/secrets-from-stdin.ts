import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { UsageError } from '../lib/errors/errors.ts'
import { secretOptions } from './run-command.ts'

/** Where secrets are typed or piped in, and where a person is asked for them. */
export interface Typing {
  stdin: Readable & { isTTY?: boolean }
  stderr: Writable
}

/**
 * The arguments, each secret that is `-` replaced by a line of standard input, in their order: what stands on a command
 * line stands in the list of processes. In a terminal each is asked for, and what is typed is not shown.
 * Throws a UsageError when there are too few lines.
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
      if (!line) throw new UsageError(`${option} is -, and standard input has no line for it.`)
      // In one word: a secret may begin with a hyphen.
      filled.push(`${option}=${line}`)
    }
  } finally {
    lines?.close()
  }
  return filled
}

interface SecretLines {
  /** The next line, without its end; undefined when there is none. */
  next(name: string): Promise<string | undefined>
  close(): void
}

function readLines({ stdin, stderr }: Typing): SecretLines {
  const terminal = stdin.isTTY === true
  // Reading by itself, what is typed is not echoed by the terminal, and its own echo goes nowhere.
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
