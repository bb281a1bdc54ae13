import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { thirdParty } from '../../fixtures/third-party.ts'

/** A home directory of its own for clients, in which no other configuration, browser or account is found. */
export interface Sandbox {
  readonly home: string
  readonly env: Record<string, string>
  /** Runs a line of a shell. Resolves with everything it wrote, or rejects if it does not end in time. */
  run(line: string, env?: Record<string, string>): Promise<string>
}

/** The commands of the packages, as a user has them after an installation. */
const COMMANDS = {
  claude: '@anthropic-ai/claude-code/cli-wrapper.cjs',
  gemini: '@google/gemini-cli/bundle/gemini.js',
}

/** The packages that documented lines run with npx. */
const NPX = {
  '@modelcontextprotocol/inspector': '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  mcporter: 'mcporter/dist/cli.js',
  'mcp-remote': 'mcp-remote/dist/proxy.js',
  supergateway: 'supergateway/dist/index.js',
}

const SECOND = 1_000

/** Makes an empty home, gone with the test and all processes in it. */
export function sandbox(t: Test): Sandbox {
  const home = mkdtempSync(join(tmpdir(), 'connector-gateway-client-'))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  symlinkSync(dirname(thirdParty('mcporter')), join(home, 'node_modules'))
  for (const [name, path] of Object.entries(COMMANDS)) script(join(bin, name), `exec node '${thirdParty(path)}' "$@"`)
  script(join(bin, 'npx'), npx())
  const env = {
    PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    MCP_REMOTE_CONFIG_DIR: join(home, '.mcp-auth'),
    // Neither a browser nor a window opens, and nothing is reported or updated.
    BROWSER: 'true',
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    GEMINI_TELEMETRY_ENABLED: 'false',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    MASTRA_TELEMETRY_DISABLED: '1',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    OTEL_SDK_DISABLED: 'true',
  }
  const running = new Set<ChildProcess>()
  t.teardown(() => {
    for (const child of running) end(child)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })

  return {
    home,
    env,
    async run(line, more = {}) {
      const child = spawn('sh', ['-c', line], {
        cwd: home,
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      running.add(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          output += chunk
        })
      let late = false
      const timer = setTimeout(() => {
        late = true
        end(child)
      }, 60 * SECOND)
      await once(child, 'close')
      clearTimeout(timer)
      end(child)
      running.delete(child)
      if (late) throw new Error(`It did not end in time: ${line}\n${output}`)
      return output
    },
  }
}

/** Kills a process and everything that it started. */
function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}

/** The npx of the sandbox: it runs the installed packages, in the version that a documented line names, if any. */
function npx(): string {
  const cases = Object.entries(NPX).map(([name, path]) => {
    const parts = versionOf(name).split('.')
    const ranges = parts.map((_, index) => `${name}@${parts.slice(0, index + 1).join('.')}`)
    return `${[name, ...ranges].join(' | ')}) exec node '${thirdParty(path)}' "$@" ;;`
  })
  return [
    'shift; package=$1; shift',
    'case $package in',
    ...cases,
    '*) echo "npx: no $package" >&2; exit 127 ;;',
    'esac',
  ].join('\n')
}

/** The version of an installed package. */
export function versionOf(name: string): string {
  return JSON.parse(readFileSync(thirdParty(`${name}/package.json`), 'utf8')).version
}

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}
