import { readFileSync } from 'node:fs'

/** Clock ticks per second of /proc, which Linux fixes for all user programs. */
const TICKS = 100

/**
 * The CPU time in seconds of this process and of all processes that it started and that have ended, with theirs; undefined
 * outside Linux.
 */
function cpuSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // utime, stime, cutime, cstime of proc(5). The second field is a name that may contain spaces.
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
}

/** Measures seconds: on the clock, and of CPU. */
export function stopwatch() {
  const [began, cpuBefore] = [performance.now(), cpuSeconds()]
  return () => {
    const cpu = cpuSeconds()
    return {
      wall: (performance.now() - began) / 1_000,
      cpu: cpu === undefined || cpuBefore === undefined ? undefined : cpu - cpuBefore,
    }
  }
}

/** How long a probe of `contention` computes. */
const PROBE_MS = 60

/**
 * How many times slower than alone on this machine something runs now, at least 1: a time bound for an idle machine, times
 * this, is one for a busy machine.
 */
export function contention(): number {
  const [wall, cpu] = [performance.now(), process.cpuUsage()]
  for (;;) {
    const { user, system } = process.cpuUsage(cpu)
    const used = (user + system) / 1_000
    if (used >= PROBE_MS) return Math.max(1, (performance.now() - wall) / used)
  }
}
