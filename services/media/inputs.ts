import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { readBounded } from '../../lib/egress/bodies.ts'
import { createByteBudget } from '../../lib/egress/byte-budget.ts'
import { type Egress, EgressError } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { ARTIFACT_ID, noArtifact } from '../artifacts/artifact.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import type { InputFile } from './adapter.ts'

/** The maximum size of one file, and of all files of a call: providers take them inline. */
const MAX_FILE_BYTES = 14 * 1024 * 1024
const MAX_BYTES = 28 * 1024 * 1024
const DEADLINE_MS = 20_000
/**
 * How many bytes of memory a byte of a file takes until the provider has answered: the file, its base64 (4/3), the JSON with it
 * (4/3), and the encoded body (4/3).
 */
const COPIES = 5
/** The maximum memory of the files of all calls, and of one organization: its largest call fits once. */
const MAX_HELD_BYTES = 512 * 1024 ** 2
const MAX_HELD_BYTES_EACH = 160 * 1024 ** 2

interface InputsOptions {
  egress: Pick<Egress, 'stream'>
  artifacts: Pick<Artifacts, 'find' | 'read'>
}

/**
 * Reads the files that a call names and passes them to `use`, which must not keep them. Throws bad_input for a file that is
 * gone, too large or of an unknown type, overloaded if too many files are in memory, and what `use` throws.
 */
export type UseInputs = <T>(
  owner: InputOwner,
  names: readonly string[],
  signal: AbortSignal,
  use: (files: readonly InputFile[]) => Promise<T>,
) => Promise<T>

/** The member whose files a call can name. */
interface InputOwner {
  readonly orgId: string
  readonly userId: string
}

/** A pattern of the names of files: an artifact of the member, or a public URL. */
export const INPUT_NAME = '^(?:art_[0-9a-f]{32}|https://[^\\s]{1,2000})$'

export function createInputs({ egress, artifacts }: InputsOptions): UseInputs {
  const budget = createByteBudget({
    max: MAX_HELD_BYTES,
    maxEach: MAX_HELD_BYTES_EACH,
    tooMuch: 'Too many large files are being sent to models',
  })

  async function open(owner: InputOwner, name: string, signal: AbortSignal): Promise<{ body: Readable; name: string }> {
    if (!ARTIFACT_ID.test(name)) {
      const answer = await egress.stream({
        method: 'GET',
        url: name,
        maxBytes: MAX_FILE_BYTES,
        maxRedirects: 3,
        deadlineMs: DEADLINE_MS,
        concurrencyKey: owner.orgId,
        signal,
      })
      if (answer.status === 200) return { body: answer.body, name: basename(new URL(name).pathname) || 'file' }
      answer.body.destroy()
      throw new GatewayError(
        'bad_input',
        `The file of ${new URL(name).host} answered ${answer.status}. Use another file.`,
      )
    }
    const file = await artifacts.find(owner, name)
    const body = file && (await artifacts.read(file))
    if (file === undefined || body === undefined) throw new GatewayError('bad_input', noArtifact(name))
    return { body, name: file.name }
  }

  async function readInputs(
    owner: InputOwner,
    names: readonly string[],
    signal: AbortSignal,
    count: (bytes: number) => void,
  ): Promise<readonly InputFile[]> {
    let left = MAX_BYTES
    const files: InputFile[] = []
    for (const wanted of names) {
      try {
        const { body, name } = await open(owner, wanted, signal)
        const data = await collect(body, Math.min(left, MAX_FILE_BYTES), count)
        left -= data.length
        files.push({ name, data, mediaType: await mediaTypeOf(data) })
      } catch (error) {
        if (!(error instanceof EgressError) || signal.aborted) throw error
        throw new GatewayError('bad_input', `A file cannot be read. ${error.message}`)
      }
    }
    return files
  }

  return async function useInputs(owner, names, signal, use) {
    const held = budget.open(owner.orgId)
    try {
      return await use(await readInputs(owner, names, signal, bytes => held.add(bytes * COPIES)))
    } finally {
      held.end()
    }
  }
}

async function collect(body: Readable, maxBytes: number, count: (bytes: number) => void): Promise<Buffer> {
  const { bytes, whole } = await readBounded(body, maxBytes, count)
  if (whole) return bytes
  throw new GatewayError(
    'bad_input',
    `The files are too large: at most ${MAX_FILE_BYTES / 1024 ** 2} MiB each and ${MAX_BYTES / 1024 ** 2} MiB together.`,
  )
}

/** The type by the content; text if it is UTF-8 of no known type. */
async function mediaTypeOf(data: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const known = (await fileTypeFromBuffer(data).catch(() => undefined))?.mime
  if (known !== undefined) return known
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(data)
    return 'text/plain'
  } catch {
    throw new GatewayError('bad_input', 'A file is of an unknown type. Use an image, a PDF, audio, video or text.')
  }
}
