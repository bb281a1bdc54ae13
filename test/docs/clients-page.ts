import type {
  ClientConfiguration,
  ConnectionForm,
  Step,
} from '../../services/client-configurations/client-configuration.ts'
import { clientConfigurations } from '../../services/client-configurations/client-configurations.ts'

/** The block that `test/slow/clients.test.ts` writes. */
export const MESSAGES_BLOCK = /<!-- messages:begin -->[\s\S]*<!-- messages:end -->/
const NO_MESSAGES = '<!-- messages:begin -->\nNot described yet.\n<!-- messages:end -->'

/** Renders docs/clients.md. Keeps the block of messages of the current page, which needs the clients. */
export function clientsPage(current: string): string {
  const clients = clientConfigurations({ origin: 'https://gateway.example' })
  const links = (kind: ClientConfiguration['kind']) =>
    clients.filter(client => client.kind === kind).map(({ name }) => `[${name}](#${anchor(name)})`)
  const [messages = NO_MESSAGES] = MESSAGES_BLOCK.exec(current) ?? []
  return `${[
    '# Connecting clients',
    'This page is generated: `TAP_SNAPSHOT=1 node test/docs/clients.test.ts` writes it. `test/slow/clients.test.ts` writes the tables at its end.',
    [
      `- ${links('app').join(' · ')}`,
      `- In a program: ${[...links('sdk'), ...links('command')].join(' · ')}`,
      '- [What clients show when a request is rejected](#what-clients-show-when-a-request-is-rejected)',
    ].join('\n'),
    INTRODUCTION,
    ...clients.map(section),
    '## What clients show when a request is rejected',
    messages,
  ].join('\n\n')}\n`
}

const INTRODUCTION = `## Before you begin

Every client needs the gateway's URL, and one of two credentials:

- **A key** from the operator (\`key create\`). Keep it in an environment variable, so that no configuration file contains it:

  \`\`\`sh
  export CGW_KEY=cgw_…
  \`\`\`

  An app that you start from the desktop does not see the variables of a terminal. Start it from the terminal, or set the variable for your
  desktop session.
- **Sign-in** in the browser: in development, or if the operator has configured it ([Sign-in](identity.md#sign-in)). There is no key to store:
  add only the URL. The client opens a page that asks whether it may call tools as you.

The lines with \`npx\` and \`npm\` need Node.js 24 or newer (\`node --version\`). They name the major versions that were tested. Some
of these packages fail with an older Node.js.

Replace \`https://gateway.example\` with the origin of your gateway. A gateway that you started with \`npm start\` has the URL
\`http://127.0.0.1:3000/mcp\`. The commands are for a POSIX shell; in PowerShell, write \`$env:CGW_KEY\` instead of \`$CGW_KEY\`. If a file
already exists, add the server to it.`

function section({ name, kind, key, signIn, notes }: ClientConfiguration): string {
  return [
    `## ${name}`,
    ...form('With a key', key),
    ...(kind === 'sdk' ? difference(key, signIn) : form('With sign-in', signIn)),
    ...(notes.length > 0 ? [notes.map(note => `- ${note}`).join('\n')] : []),
  ].join('\n\n')
}

function form(title: string, connection: ConnectionForm): string[] {
  if ('unsupported' in connection) return [`**${title}**: not possible. ${connection.unsupported}`]
  return connection.steps.flatMap((step, index) => {
    const lead = index === 0 ? `**${title}**${place(step)}` : `Or${place(step)}`
    return [lead, ...body(step), ...(step.afterwards === undefined ? [] : [step.afterwards])]
  })
}

/** Programs are long, and their two forms differ in one line. */
function difference(key: ConnectionForm, signIn: ConnectionForm): string[] {
  const [[keyStep], [signInStep]] = [stepsOf(key), stepsOf(signIn)]
  if (keyStep?.kind !== 'code' || signInStep?.kind !== 'code') return []
  const known = new Set(keyStep.content.split('\n'))
  const lines = signInStep.content.split('\n').filter(line => !known.has(line))
  const replaced = fenced(signInStep.language, lines.map(line => line.trim()).join('\n'))
  return ['**With sign-in**, replace the line that has the key:', replaced]
}

function stepsOf(connection: ConnectionForm): readonly Step[] {
  return 'steps' in connection ? connection.steps : []
}

function place(step: Step): string {
  if (step.kind === 'file') return step.path.includes(' ') ? `, in ${step.path}:` : `, in \`${step.path}\`:`
  if (step.kind === 'deeplink') return ', open this link:'
  if (step.kind === 'code') return `, after \`${step.install}\`:`
  return ':'
}

function body(step: Step): string[] {
  if (step.kind === 'file') return [fenced(step.format, step.content)]
  if (step.kind === 'command') return [fenced('sh', step.command)]
  if (step.kind === 'deeplink') return [fenced('text', step.url)]
  if (step.kind === 'code') return [fenced(step.language, step.content)]
  return [step.text]
}

function fenced(language: string, content: string): string {
  return `\`\`\`${language}\n${content}\n\`\`\``
}

function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
