import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONNECTORS } from '../tools/connectors/catalog.ts'
import { connectorGuides } from './connector-guide.ts'

// Writes `docs/connectors/`: `npm run connector:guides`. Guides of connectors that no longer exist are removed.

const folder = join(import.meta.dirname, '../docs/connectors')
const guides = connectorGuides(CONNECTORS)

mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!guides.has(name)) rmSync(join(folder, name))
for (const [name, text] of guides) writeFileSync(join(folder, name), text)
