import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const INSTALLED = new URL('clients/node_modules/', import.meta.url)

/**
 * The path of a file in a package of test/clients: the MCP clients and bridges of other projects, which are not dependencies of
 * this one. Throws an error that says how to install them.
 */
export function thirdParty(path: string): string {
  const file = fileURLToPath(new URL(path, INSTALLED))
  if (existsSync(file)) return file
  const [scope = '', name] = path.split('/')
  const missing = scope.startsWith('@') ? `${scope}/${name}` : scope
  throw new Error(`${missing} is not installed. Run: npm ci --prefix test/clients --ignore-scripts`)
}
