import { createByteBudget } from '../../../../lib/egress/byte-budget.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { formatList } from '../../../../lib/format-text.ts'
import type { ConnectorCall } from '../../../definitions/connector-tool.ts'
import type { ConnectorDefinition } from '../../../definitions/connector-types.ts'
import type { PdfFault } from '../../../web/conversion/tasks.ts'
import type { Converter } from '../../../web/converter.ts'
import { PoolError } from '../../../web/pool.ts'

/** Characters that texts and logs do not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: binary data has exactly these.
const BINARY = /[\0-\x06\x0e-\x1a\x1c-\x1f]/
/** The maximum share of undecodable characters. Text in another encoding has fewer; binary data has more. */
const MAX_UNDECODABLE = 0.1

/**
 * Returns a decoded file that is no PDF. Throws upstream_rejected for one that is not text; `downloads` are the tools that
 * return it as it is.
 */
export function requireText(text: string, downloads: readonly string[] = []): string {
  if (!BINARY.test(text) && undecodableIn(text) <= MAX_UNDECODABLE * text.length) return text
  throw new GatewayError(
    'upstream_rejected',
    `This file is binary data, not a text, and cannot be read as one. ${downloadAdvice(downloads)}`,
  )
}

/** What to do with a file that cannot be read as a text. `downloads` are the tools that return it as it is. */
export function downloadAdvice(downloads: readonly string[]): string {
  return downloads.length > 0 ? `Use ${formatList(downloads, 'or')}.` : 'Ask the user to open it.'
}

function undecodableIn(text: string): number {
  return text.split('\ufffd').length - 1
}

/**
 * Reads the text of a PDF. `heldBytes` are the bytes that the call keeps in memory until then: those of the file, if it is not
 * a part of a larger answer. Throws upstream_rejected for a PDF without a text that can be read, overloaded if too many files
 * are being read.
 */
type ReadPdf = (
  file: Buffer,
  call: Pick<ConnectorCall, 'caller' | 'connector' | 'signal'>,
  heldBytes?: number,
) => Promise<string>

/** The maximum number of bytes of the calls whose PDFs are read or wait for it. An organization gets a quarter of it. */
const MAX_HELD_BYTES = 256 * 1024 ** 2
const TOO_MANY = 'Too many files are being read'

const FAULTS: Readonly<Record<PdfFault | 'slow' | 'heavy', string>> = {
  encrypted: 'is encrypted and needs a password',
  damaged: 'is damaged',
  scanned: 'has no text, only images such as scanned pages',
  long: 'has too many pages',
  slow: 'takes too long to read',
  heavy: 'needs too much memory to read',
}

/** Creates the reader of PDFs, whose parsing belongs into the processes for untrusted data. */
export function createPdfReader(converter: Pick<Converter, 'run'>): ReadPdf {
  const budget = createByteBudget({ max: MAX_HELD_BYTES, maxEach: MAX_HELD_BYTES / 4, tooMuch: TOO_MANY })
  return async (file, { caller, connector, signal }, heldBytes = file.length) => {
    const { orgId } = caller
    const held = budget.open(orgId)
    try {
      held.add(heldBytes)
      const answer = await converter.run({ kind: 'pdf', body: file }, { orgId, signal }).catch(faultOf)
      if ('text' in answer) return answer.text
      throw new GatewayError(
        'upstream_rejected',
        `The text of this PDF cannot be read: it ${FAULTS[answer.fault]}. ${downloadAdvice(downloadsOf(connector))}`,
      )
    } finally {
      held.end()
    }
  }
}

const PDF = Buffer.from('%PDF-')

/** Whether a file begins like a PDF. */
export function isPdf(file: Buffer): boolean {
  return file.subarray(0, PDF.length).equals(PDF)
}

const FAULT_OF: Readonly<Record<'failed' | 'crashed' | 'timeout', keyof typeof FAULTS>> = {
  failed: 'damaged',
  // A process ends during its task only if it reaches a limit of its memory.
  crashed: 'heavy',
  timeout: 'slow',
}

function faultOf(error: unknown): { fault: keyof typeof FAULTS } {
  if (!(error instanceof PoolError)) throw error
  const { reason } = error
  if (reason === 'full' || reason === 'aborted')
    throw new GatewayError('overloaded', `${TOO_MANY} now. Retry in a few seconds.`, { cause: error })
  return { fault: FAULT_OF[reason] }
}

/** The tools of a connector that return a file as it is. */
export function downloadsOf({ tools }: ConnectorDefinition): string[] {
  return tools.filter(({ result }) => result.kind === 'file').map(({ operation }) => operation)
}
