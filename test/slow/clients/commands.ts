import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Test } from 'tap'
import { clientConfigurations } from '../../../services/client-configurations/client-configurations.ts'
import type { Case } from './gateways.ts'
import { sandbox, versionOf } from './sandbox.ts'
import type { ScriptedModel } from './scripted-model.ts'
import { isAnswer, MEMORY, type Shown, type TestedClient, TOOL } from './tested-client.ts'

/** The clients that are commands: coding agents with a scripted model, tools of the command line, and bridges to stdio. */
export function commands(t: Test, model: ScriptedModel): TestedClient[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      version: versionOf('@anthropic-ai/claude-code'),
      place: '`claude mcp list`',
      use: tried => claude(t, tried, model),
    },
    {
      id: 'gemini-cli',
      name: 'Gemini CLI',
      version: versionOf('@google/gemini-cli'),
      place: '`gemini mcp list`',
      use: tried => gemini(t, tried, model),
    },
    {
      id: 'inspector',
      name: 'MCP Inspector',
      version: versionOf('@modelcontextprotocol/inspector'),
      place: 'its output',
      use: tried => inspector(t, tried),
    },
    {
      id: 'mcporter',
      name: 'mcporter',
      version: versionOf('mcporter'),
      place: 'its output',
      use: tried => mcporter(t, tried),
    },
    {
      id: 'mcp-remote',
      name: 'mcp-remote',
      version: versionOf('mcp-remote'),
      place: 'its log',
      use: tried => bridge(t, tried, documented('mcp-remote', tried)),
    },
    {
      id: 'supergateway',
      name: 'supergateway',
      version: versionOf('supergateway'),
      place: 'its log',
      use: tried =>
        bridge(
          t,
          tried,
          `npx -y supergateway --streamableHttp ${tried.origin}/mcp --header "Authorization: Bearer $CGW_KEY"`,
        ),
    },
  ]
}

/** Claude Code with a key: `claude mcp add`, `claude mcp list`, and a call if it is connected. */
async function claude(t: Test, tried: Case, model: ScriptedModel): Promise<Shown> {
  const { run } = sandbox(t)
  await run(documented('claude-code', tried), { CGW_KEY: tried.credential })
  const list = await run('claude mcp list')
  if (!list.includes('Connected')) return { text: list, listed: false, called: false }
  const talk = await run(
    `claude -p 'Remember.' --allowedTools 'mcp__connector-gateway__${TOOL}' --output-format text`,
    {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      // The scripted model must see all tools in its first turn.
      ENABLE_TOOL_SEARCH: 'false',
      MCP_CONNECTION_NONBLOCKING: 'false',
    },
  )
  return { text: `${list}\n${talk}`, listed: true, called: isAnswer(talk) }
}

async function gemini(t: Test, tried: Case, model: ScriptedModel): Promise<Shown> {
  const { run, home } = sandbox(t)
  mkdirSync(join(home, '.gemini'))
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { disableAutoUpdate: true },
  }
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings))
  await run(documented('gemini-cli', tried), { CGW_KEY: tried.credential })
  const list = await run('gemini mcp list')
  if (!list.includes('Connected')) return { text: list, listed: false, called: false }
  const talk = await run("gemini -y -m gemini-2.5-flash -p 'Remember.'", {
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_API_KEY: 'none',
  })
  return { text: `${list}\n${talk}`, listed: true, called: isAnswer(talk) }
}

async function inspector(t: Test, tried: Case): Promise<Shown> {
  const { run } = sandbox(t)
  const line = documented('inspector', tried)
  const env = { CGW_KEY: tried.credential }
  const call = `--method tools/call --tool-name ${TOOL} --tool-arg 'memory=${MEMORY}'`
  return listAndCall(await run(line, env), () => run(line.replace('--method tools/list', call), env))
}

async function mcporter(t: Test, tried: Case): Promise<Shown> {
  const { run } = sandbox(t)
  const line = documented('mcporter', tried)
  const env = { CGW_KEY: tried.credential }
  const call = `${line.replace(' list ', ' call ')} ${TOOL} 'memory=${MEMORY}'`
  return listAndCall(await run(line, env), () => run(call, env))
}

async function listAndCall(list: string, call: () => Promise<string>): Promise<Shown> {
  if (!list.includes(TOOL)) return { text: list, listed: false, called: false }
  const answer = await call()
  return { text: answer, listed: true, called: isAnswer(answer) }
}

/** A bridge as a desktop client starts it: over its stdin and stdout, with its stderr in a log. */
async function bridge(t: Test, { credential }: Case, line: string): Promise<Shown> {
  const { env, home } = sandbox(t)
  const transport = new StdioClientTransport({
    command: 'sh',
    args: ['-c', `exec ${line}`],
    env: { ...env, CGW_KEY: credential },
    cwd: home,
    stderr: 'pipe',
  })
  let text = ''
  transport.stderr?.on('data', chunk => {
    text += chunk
  })
  const client = new Client({ name: 'desktop', version: '1.0.0' })
  try {
    await client.connect(transport, { timeout: 20_000 })
    const { tools } = await client.listTools()
    const answer = JSON.stringify(await client.callTool({ name: TOOL, arguments: { memory: MEMORY } }))
    return { text: answer, listed: tools.some(({ name }) => name === TOOL), called: isAnswer(answer) }
  } catch (error) {
    return { text: `${text}\n${error}`, listed: false, called: false }
  } finally {
    await client.close()
  }
}

/** The first documented line for a key. */
function documented(id: string, tried: Case): string {
  const form = clientConfigurations({ origin: tried.origin }).find(client => client.id === id)?.key
  const step = form !== undefined && 'steps' in form ? form.steps.find(({ kind }) => kind === 'command') : undefined
  if (step?.kind !== 'command') throw new Error(`${id} has no line in docs/clients.md`)
  return step.command
}
