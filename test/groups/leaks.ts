import { setTimeout as delay } from 'node:timers/promises'

/** What a test file could leave to the next one in the same process. */
interface Traces {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
  readonly globals: ReadonlyMap<PropertyKey, unknown>
  /** Listeners of the process, by event. */
  readonly listeners: ReadonlyMap<string, number>
  /** Timers, sockets, servers and child processes that keep the process running, by kind. */
  readonly resources: ReadonlyMap<string, number>
}

/** Listeners for these change nothing while other files run. */
const AT_THE_END: readonly string[] = ['exit', 'beforeExit']

/** What there is now. */
export function traces(): Traces {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  const events = process
    .eventNames()
    .map(String)
    .filter(name => !AT_THE_END.includes(name))
  return {
    environment: { ...process.env },
    directory: process.cwd(),
    globals: new Map(globals.map(([name, { value, get }]) => [name, get ?? value])),
    listeners: new Map(events.map(name => [name, process.listenerCount(name)])),
    resources: count(process.getActiveResourcesInfo().filter(kind => kind !== 'Immediate')),
  }
}

/** What was added or changed since, one text each. Waits until resources that are being closed are closed. */
export async function leftBehind(before: Traces, patienceMs: number): Promise<string[]> {
  const limit = performance.now() + patienceMs
  let left = differences(before, traces())
  for (let pause = 1; left.length > 0 && performance.now() < limit; pause = Math.min(pause * 2, 100)) {
    await delay(pause)
    left = differences(before, traces())
  }
  return left
}

function differences(before: Traces, now: Traces): string[] {
  const names = new Set([...Object.keys(before.environment), ...Object.keys(now.environment)])
  const environment = [...names].filter(name => before.environment[name] !== now.environment[name])
  // Libraries add globals when they are loaded. A global that was there must stay what it was.
  const globals = [...before.globals.keys()].filter(name => !Object.is(before.globals.get(name), now.globals.get(name)))
  return [
    ...environment.map(name => `environment variable ${name}`),
    ...globals.map(name => `global ${String(name)}`),
    ...(before.directory === now.directory ? [] : ['working directory']),
    ...more(before.listeners, now.listeners).map(([name, n]) => `${n} listener of the process for ${name}`),
    ...more(before.resources, now.resources).map(([kind, n]) => `${n} open ${kind}`),
  ]
}

function more(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): [string, number][] {
  const added = [...now].map(([name, n]): [string, number] => [name, n - (before.get(name) ?? 0)])
  return added.filter(([, n]) => n > 0)
}

function count(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
