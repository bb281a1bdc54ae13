import { readFileSync } from 'node:fs'
import { errorCode } from './error-code.ts'

/** The process that holds a directory, as its lock file names it. */
export interface Holder {
  pid: number
  /** When that process started, by its own clock and by the kernel's: pids are reused. */
  origin: number
  started: string | null
}

/** What this process writes into a lock file. */
export function thisProcess(): Holder {
  return { pid: process.pid, origin: performance.timeOrigin, started: processStat(process.pid)?.started ?? null }
}

/** The holder that a lock file names; undefined if its process died between creating the file and writing it. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, origin, started } = JSON.parse(text) as Partial<Holder>
    return typeof pid === 'number' && pid > 0 ? { pid, origin: Number(origin), started: started ?? null } : undefined
  } catch {
    return undefined
  }
}

/** Whether this very process holds the lock. */
export function isThisProcess(holder: Holder): boolean {
  // In a container every process is pid 1: our own pid belongs to an earlier run unless it started when we did.
  return holder.pid === process.pid && holder.origin === performance.timeOrigin
}

/** Whether the process that holds a lock still runs. */
export function isAlive(holder: Holder): boolean {
  if (holder.pid === process.pid) return isThisProcess(holder)
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  const stat = processStat(holder.pid)
  // A zombie keeps its pid until its parent collects it, which some parents never do, but it runs nothing anymore.
  if (stat?.ended) return false
  return holder.started === null || holder.started === (stat?.started ?? null)
}

interface ProcessStat {
  /** When the kernel started the process, in ticks since boot. */
  started: string | null
  /** Whether the process and all of its threads ended. */
  ended: boolean
}

/** What Linux says of a process; undefined for a process that is gone, and on other systems. */
function processStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command is in parentheses and may contain spaces. The state is field 3, the first one after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state = ''] = fields
    // The main thread can be a zombie before the other threads end.
    return { started: fields[19] ?? null, ended: 'ZXx'.includes(state) && Number(fields[17]) <= 1 }
  } catch {
    return undefined
  }
}
