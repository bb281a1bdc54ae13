import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONNECTORS } from '../tools/connectors/catalog.ts'

// Writes `services/connectors/brand-icons.ts` with the icons of the catalog: `npm run connector:icons`. It installs
// simple-icons (26 MB) in a temporary directory, because nothing else needs that package.

const VERSION = '16.37.0'
const FILE = join(import.meta.dirname, '../services/connectors/brand-icons.ts')

/** An icon in the list of the package. */
interface Listed {
  slug: string
  hex: string
  license?: { type: string }
}

const slugs = CONNECTORS.flatMap(({ icon }) => ('simpleIcon' in icon ? [icon.simpleIcon] : [])).toSorted()
const folder = mkdtempSync(join(tmpdir(), 'brand-icons-'))
try {
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, `simple-icons@${VERSION}`], { stdio: 'inherit' })
  const read = (name: string) => readFileSync(join(folder, 'node_modules/simple-icons', name), 'utf8')
  const listed = new Map((JSON.parse(read('data/simple-icons.json')) as Listed[]).map(icon => [icon.slug, icon]))
  const entries = slugs.map(slug => {
    const icon = listed.get(slug)
    if (icon === undefined) throw new TypeError(`simple-icons ${VERSION} has no icon ${slug}. Use a monogram.`)
    if (icon.license !== undefined) throw new TypeError(`The icon ${slug} has a license of its own. Use a monogram.`)
    return `  ${slug}: { color: '#${icon.hex}', svg: ${JSON.stringify(read(`icons/${slug}.svg`))} },\n`
  })
  writeFileSync(
    FILE,
    `/** The brand icons of the catalog, from simple-icons ${VERSION} (CC0 1.0). \`npm run connector:icons\` writes this file. */\n` +
      `export const BRAND_ICONS: Readonly<Record<string, { readonly color: string; readonly svg: string }>> = {\n` +
      `${entries.join('')}}\n`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
execFileSync('npx', ['biome', 'format', '--write', FILE], { stdio: 'inherit' })
