import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clientConfigurations } from '../../../services/client-configurations/client-configurations.ts'
import type { Case } from './gateways.ts'
import { type Sandbox, versionOf } from './sandbox.ts'
import { isAnswer, MEMORY, type Shown, type TestedClient, TOOL } from './tested-client.ts'

/** How a program continues after the documented lines: it lists the tools, and calls one. */
const CONTINUATIONS: Record<string, { package: string; place?: string; listed: string; called: string }> = {
  'typescript-sdk-1': {
    package: '@modelcontextprotocol/sdk',
    listed: 'tools.map(tool => tool.name)',
    called: 'await client.callTool({ name, arguments: args })',
  },
  'typescript-sdk-2': {
    package: '@modelcontextprotocol/client',
    place: '`data.text` of the error',
    listed: 'tools.map(tool => tool.name)',
    called: 'await client.callTool({ name, arguments: args })',
  },
  'ai-sdk': {
    package: '@ai-sdk/mcp',
    listed: 'Object.keys(tools)',
    called: "await tools[name].execute(args, { toolCallId: '1', messages: [] })",
  },
  'openai-agents': {
    package: '@openai/agents',
    place: '`data.text` of the error',
    listed: 'tools.map(tool => tool.name)',
    called: 'await server.callTool(name, args)',
  },
  langchain: {
    package: '@langchain/mcp-adapters',
    listed: 'tools.map(tool => tool.name)',
    called: 'await tools.find(tool => tool.name === name).invoke(args)',
  },
  mastra: {
    package: '@mastra/mcp',
    place: 'its log',
    listed: 'Object.keys(tools)',
    // After a connection that failed, it returns no tools and logs the error.
    called: "await tools['connector-gateway_' + name]?.execute(args, {})",
  },
  strands: {
    package: '@strands-agents/sdk',
    listed: 'tools.map(tool => tool.name)',
    called: 'await client.callTool(tools.find(tool => tool.name === name), args)',
  },
}

/** The SDKs and frameworks, as the documented programs use them. All programs run in one process. */
export async function programs(box: Sandbox, cases: readonly Case[]): Promise<TestedClient[]> {
  const jobs = Object.keys(CONTINUATIONS).flatMap(id =>
    cases.map(tried => {
      const file = join(box.home, `${id}-${tried.name}.mjs`)
      writeFileSync(file, program(id, tried))
      return { id, tried, file, credential: tried.credential }
    }),
  )
  const list = join(box.home, 'jobs.json')
  writeFileSync(list, JSON.stringify(jobs))
  const runner = fileURLToPath(new URL('run-programs.ts', import.meta.url))
  const lines = (await box.run(`exec node '${runner}' '${list}'`)).split('\n').filter(line => line.startsWith('{'))
  const shown = new Map(jobs.map(({ id, tried }, index) => [`${id} ${tried.name}`, shownBy(lines[index] ?? '{}')]))
  return clientConfigurations({ origin: 'https://gateway.example' }).flatMap(({ id, name }) => {
    const continuation = CONTINUATIONS[id]
    if (continuation === undefined) return []
    return {
      id,
      name,
      version: versionOf(continuation.package),
      place: continuation.place ?? 'the error',
      use: async tried => shown.get(`${id} ${tried.name}`) ?? { text: '', listed: false, called: false },
    }
  })
}

function program(id: string, { origin }: Case): string {
  const form = clientConfigurations({ origin }).find(client => client.id === id)?.key
  const step = form !== undefined && 'steps' in form ? form.steps[0] : undefined
  if (step?.kind !== 'code') throw new Error(`${id} has no program in docs/clients.md`)
  const { listed, called } = CONTINUATIONS[id] ?? { listed: '[]', called: '' }
  return `${step.content}
const [name, args] = [${JSON.stringify(TOOL)}, ${JSON.stringify({ memory: MEMORY })}]
const listed = ${listed}
const called = ${called}
export { listed, called }
`
}

function shownBy(line: string): Shown {
  const {
    listed = [],
    called = '',
    shown = '',
  } = JSON.parse(line) as Partial<{
    listed: string[]
    called: string
    shown: string
  }>
  return { text: `${shown}\n${called}`, listed: listed.some(name => name.endsWith(TOOL)), called: isAnswer(called) }
}
