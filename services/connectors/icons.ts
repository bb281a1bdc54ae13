import { createHash } from 'node:crypto'
import type { ConnectorDefinition, Icon } from '../definitions/connector-types.ts'
import { BRAND_ICONS } from './brand-icons.ts'

/** The connectors' icons, each under the hash of its content, so that clients can cache them forever. */
export interface Icons {
  /** Returns the path of a connector's icon. Throws a TypeError for an unknown connector. */
  urlPath(connectorId: string): string
  /** Returns the SVG with this hash; undefined if there is none. */
  find(hash: string): Buffer | undefined
}

/** Draws the icons of connectors once. Throws a TypeError for an unknown or invalid icon, which prevents the start. */
export function createIcons(connectors: readonly Branded[]): Icons {
  const byHash = new Map<string, Buffer>()
  const hashes = new Map<string, string>()
  for (const connector of connectors) {
    const svg = Buffer.from(draw(connector))
    const hash = createHash('sha256').update(svg).digest('hex')
    byHash.set(hash, svg)
    hashes.set(connector.id, hash)
  }

  return {
    urlPath(connectorId) {
      const hash = hashes.get(connectorId)
      if (hash === undefined) throw new TypeError(`No icon exists for the connector ${connectorId}`)
      return `/icons/${hash}.svg`
    },
    find(hash) {
      return byHash.get(hash)
    },
  }
}

/** The part of a connector that its icon depends on. */
type Branded = Pick<ConnectorDefinition, 'id' | 'name' | 'icon'>

/** Draws a brand icon in the brand's color, and a monogram for other connectors. */
function draw({ id, name, icon }: Branded): string {
  if ('monogram' in icon) return drawMonogram(id, name, icon)
  const brand = Object.hasOwn(BRAND_ICONS, icon.simpleIcon) ? BRAND_ICONS[icon.simpleIcon] : undefined
  if (brand === undefined)
    throw new TypeError(
      `Connector ${id} has the icon ${icon.simpleIcon}, which is not copied. Run: npm run connector:icons`,
    )
  return brand.svg.replace('<svg ', `<svg fill="${brand.color}" `)
}

function drawMonogram(id: string, name: string, { monogram, color }: Extract<Icon, { monogram: string }>): string {
  if (!/^#[0-9A-Fa-f]{6}$/.test(color))
    throw new TypeError(`Connector ${id} has the invalid color ${color}. Write it like #4a154b.`)
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

/** By perceived brightness (ITU-R BT.601). */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => Number.parseInt(color.slice(start, start + 2), 16))
  return 0.299 * red + 0.587 * green + 0.114 * blue > 160
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
