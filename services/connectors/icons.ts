import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ConnectorDefinition, Icon } from '../definitions/define-connector.ts'

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

/** Whose mark is drawn. */
export type Branded = Pick<ConnectorDefinition, 'id' | 'name' | 'icon'>

/** Draws the marks of connectors as SVG. */
export interface IconSource {
  /** Throws a TypeError for a slug that simple-icons has not, and for a colour that is none. */
  draw(connector: Branded): string
}

/** Marks of simple-icons in the colour of their brand, and monograms for the rest. */
export function createIconSource(): IconSource {
  let colors: ReadonlyMap<string, string> | undefined

  return {
    draw({ id, name, icon }) {
      if ('monogram' in icon) return drawMonogram(id, name, icon)
      colors ??= brandColors()
      const color = colors.get(icon.simpleIcon)
      if (color === undefined)
        throw new TypeError(`Connector ${id} has the icon ${icon.simpleIcon}, which simple-icons has not`)
      return inPackage(`simple-icons/icons/${icon.simpleIcon}.svg`).replace('<svg ', `<svg fill="#${color}" `)
    },
  }
}

function brandColors(): ReadonlyMap<string, string> {
  const icons = JSON.parse(inPackage('simple-icons/icons.json')) as { slug: string; hex: string }[]
  return new Map(icons.map(({ slug, hex }) => [slug, hex]))
}

function inPackage(specifier: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8')
}

function drawMonogram(id: string, name: string, { monogram, color }: Extract<Icon, { monogram: string }>): string {
  if (!/^#[0-9A-Fa-f]{6}$/.test(color))
    throw new TypeError(`Connector ${id} has the colour ${color}: write it as #4a154b`)
  const letters = [...monogram].slice(0, 3)
  return [
    '<svg role="img" viewBox="0 0 24 24" xmlns="http://www.w3.org/2000/svg">',
    `<title>${escaped(name)}</title>`,
    `<rect width="24" height="24" rx="5" fill="${color}"/>`,
    `<text x="12" y="12" dy=".36em" text-anchor="middle" font-family="system-ui, sans-serif" font-weight="700" `,
    `font-size="${[14, 11, 8][letters.length - 1] ?? 14}" fill="${isLight(color) ? '#000' : '#fff'}">`,
    `${escaped(letters.join(''))}</text></svg>`,
  ].join('')
}

/** By the eye's weight of the primaries (ITU-R BT.601). */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => Number.parseInt(color.slice(start, start + 2), 16))
  return 0.299 * red + 0.587 * green + 0.114 * blue > 160
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
