import { createHash } from 'node:crypto'
import { type Branded, createIconSource } from './draw-icon.ts'

/** The connectors' icons, each under the hash of its content: a URL of one can be cached for ever. */
export interface Icons {
  /** Where a connector's icon is served. Throws a TypeError for a connector that was not among those given. */
  urlPath(connectorId: string): string
  /** The SVG of a hash; undefined for any other text. */
  find(hash: string): Buffer | undefined
}

/**
 * Draws the icons of connectors, once. Throws a TypeError for a slug that simple-icons has not: a connector that names
 * one does not start.
 */
export function createIcons(connectors: readonly Branded[]): Icons {
  const source = createIconSource()
  const byHash = new Map<string, Buffer>()
  const hashes = new Map<string, string>()
  for (const connector of connectors) {
    const svg = Buffer.from(source.draw(connector))
    const hash = createHash('sha256').update(svg).digest('hex')
    byHash.set(hash, svg)
    hashes.set(connector.id, hash)
  }

  return {
    urlPath(connectorId) {
      const hash = hashes.get(connectorId)
      if (hash === undefined) throw new TypeError(`There is no icon of a connector named ${connectorId}`)
      return `/icons/${hash}.svg`
    },
    find(hash) {
      return byHash.get(hash)
    },
  }
}
