import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { skipped } from './vendor-documents.ts'

/** Of test/checkers, so that the project itself does not install its 54 MB. */
const PRISM = fileURLToPath(new URL('../checkers/node_modules/@stoplight/prism-http', import.meta.url))

/** Why requests cannot be checked against descriptions here; false if they can. */
export const uncheckable =
  skipped || (existsSync(PRISM) ? false : 'Prism is not installed: npm ci --prefix test/checkers --ignore-scripts')

/** An operation of a description. */
export interface PrismOperation {
  method: string
  path: string
}

type Outcome<T> = { _tag: 'Right'; right: T } | { _tag: 'Left'; left: Error }

/** Answers a request that was validated, or makes an answer. */
type Mock = (given: {
  resource: PrismOperation
  input: {
    data: { method: string; url: { path: string } }
    validations: readonly { message: string }[]
  }
  config: object
}) => (logger: PrismLogger) => Outcome<{ statusCode?: number; body?: unknown }>

/** The logger of Prism, which creates others. */
export type PrismLogger = Record<string, unknown>

interface PrismHttp {
  getHttpOperationsFromSpec(document: object): Promise<PrismOperation[]>
  createInstance(
    config: object,
    components: { logger: PrismLogger; mock: Mock },
  ): {
    request(
      request: { method: string; url: { path: string; query: object }; headers: object; body: unknown },
      operations: readonly PrismOperation[],
    ): () => Promise<Outcome<unknown>>
  }
}

/** Loads Prism. Its types here are the parts that the tests use, because the compiler must do without the package. */
export function loadPrism(): PrismHttp & { makeAnswer: Mock } {
  const require = createRequire(import.meta.url)
  const mocker = require(`${PRISM}/dist/mocker/index.js`) as { default: Mock }
  return { ...(require(PRISM) as PrismHttp), makeAnswer: mocker.default }
}
