import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Installs the packages of this folder if they are missing. With --if-described, only where the providers' API descriptions
// are, because `npm test` needs Prism for nothing else.

const folder = fileURLToPath(new URL('.', import.meta.url))
const descriptions = process.env.VENDOR_APIS ?? ''
const needed = !process.argv.includes('--if-described') || existsSync(descriptions)
const npm = args => spawnSync('npm', [...args, '--prefix', folder], { stdio: ['ignore', 'ignore', 'inherit'] }).status
const installed = () => existsSync(`${folder}node_modules`) && npm(['ls', '--loglevel=silent']) === 0

if (needed && !installed()) process.exitCode = npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund']) ?? 1
