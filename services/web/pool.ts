import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { FairQueue } from '../../lib/fair-queue.ts'

/** Why a task has no answer. `failed`: its code threw; `crashed`: its process ended; `full`: it did not start. */
type PoolReason = 'failed' | 'crashed' | 'timeout' | 'full' | 'aborted'

/** A task without an answer. */
export class PoolError extends Error {
  override readonly name = 'PoolError'
  readonly reason: PoolReason

  constructor(reason: PoolReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** What a process sends while it works on its task. */
export type PoolMessage = { ready: true } | { answer: unknown } | { done: true } | { error: string }

interface PoolOptions {
  /** The module of a process. It sends `ready`, and then for each task any number of answers and `done` or `error`. */
  entry: string
  /** The files and folders that a process may read. It may not write, or start other processes. */
  readable: readonly string[]
  /** The maximum number of processes. */
  processes: number
  /** The maximum size of the JavaScript heap of a process, in MB. */
  heapMb: number
  /** The maximum memory of a process during a task, in MB, with its buffers outside of the heap. Applies on Linux. */
  memoryMb: number
  /** A process ends after this time without a task, in milliseconds. */
  idleMs: number
  /** The maximum number of waiting tasks: of all groups, and of one. */
  maxQueued: number
  maxQueuedEach: number
}

interface RunOptions {
  /** Whose task it is, an organization: the groups take turns. */
  group: string
  /** How long the task may run, in milliseconds, not counting the time in the queue. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** Runs tasks on untrusted data in processes of their own, so that none of them can harm or block the gateway. */
interface Pool {
  /**
   * Runs a task and returns its last answer, even if the task then fails, takes too long or ends its process. Throws a
   * PoolError if there is no answer.
   */
  run(task: unknown, options: RunOptions): Promise<unknown>
  /** Ends all processes. Tasks without an answer fail. */
  close(): Promise<void>
}

/** How long a new process may take to load its modules. */
const START_MS = 15_000
/** How often the memory of a working process is read: one that fills buffers can take up 100 MB more meanwhile. */
const MEMORY_CHECK_MS = 100
/** A process is replaced after this many tasks, in case a library leaks memory. */
const MAX_TASKS = 500

interface Job extends RunOptions {
  task: unknown
  /** Called at most once. */
  settle(error: PoolError | null, answer?: unknown): void
}

/** A running process. */
interface Worker {
  child: ChildProcess
  ready: boolean
  tasks: number
  job: Job | undefined
  answer: { value: unknown } | undefined
  timer: NodeJS.Timeout | undefined
  memoryTimer: NodeJS.Timeout | undefined
  ended: Promise<void>
}

export function createPool({
  entry,
  readable,
  processes,
  heapMb,
  memoryMb,
  idleMs,
  maxQueued,
  maxQueuedEach,
}: PoolOptions): Pool {
  const workers = new Set<Worker>()
  const queue = new FairQueue<Job>({ max: maxQueued, maxEach: maxQueuedEach })
  let closed = false

  function start(): Worker {
    const compileCache = getCompileCacheDir()
    const cachePaths = compileCache === undefined ? [] : [compileCache]
    const child = fork(entry, {
      // Nothing of the gateway's environment, which has its secrets. The output of a crash belongs to no log.
      env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [
        `--max-old-space-size=${heapMb}`,
        '--permission',
        ...[...readable, ...cachePaths].map(path => `--allow-fs-read=${path}`),
        '--disable-warning=ExperimentalWarning',
      ],
      serialization: 'advanced',
    })
    const ended = new Promise<void>(resolve => child.once('exit', () => resolve()).once('error', () => resolve()))
    const worker: Worker = {
      child,
      ready: false,
      tasks: 0,
      job: undefined,
      answer: undefined,
      timer: undefined,
      memoryTimer: undefined,
      ended,
    }
    workers.add(worker)
    worker.timer = setTimeout(() => remove(worker, 'timeout'), START_MS)
    child.on('message', (message: PoolMessage) => receive(worker, message))
    child.on('error', () => remove(worker, 'crashed'))
    child.on('exit', () => remove(worker, 'crashed'))
    return worker
  }

  function receive(worker: Worker, message: PoolMessage): void {
    if (!workers.has(worker)) return
    if ('ready' in message) {
      worker.ready = true
      begin(worker)
    } else if ('answer' in message) worker.answer = { value: message.answer }
    else finish(worker, new PoolError('failed', 'error' in message ? message.error : 'The task returned no answer'))
  }

  /** Gives the process its task, from which moment its time counts. */
  function begin(worker: Worker): void {
    const { job, child } = worker
    if (job === undefined || !worker.ready) return
    clearTimeout(worker.timer)
    worker.tasks++
    worker.timer = setTimeout(() => remove(worker, 'timeout'), job.timeoutMs)
    worker.memoryTimer = setInterval(() => {
      if (residentMb(child.pid) > memoryMb) remove(worker, 'crashed')
    }, MEMORY_CHECK_MS)
    child.send(job.task as object, error => {
      if (error !== null) remove(worker, 'crashed')
    })
  }

  function assign(worker: Worker, job: Job): void {
    worker.job = job
    // A running task keeps the gateway's process alive, an idle process does not.
    worker.child.ref()
    worker.child.channel?.ref()
    begin(worker)
  }

  /** Ends the task of a process: with its last answer, or with the error. */
  function finish(worker: Worker, error: PoolError): void {
    const { job, answer } = worker
    clearTimeout(worker.timer)
    clearInterval(worker.memoryTimer)
    worker.job = undefined
    worker.answer = undefined
    if (answer !== undefined) job?.settle(null, answer.value)
    else job?.settle(error)
    if (!workers.has(worker)) return
    if (worker.tasks >= MAX_TASKS) remove(worker, 'crashed')
    else {
      worker.timer = setTimeout(() => remove(worker, 'crashed'), idleMs).unref()
      worker.child.unref()
      worker.child.channel?.unref()
      next()
    }
  }

  function remove(worker: Worker, reason: 'timeout' | 'crashed'): void {
    if (!workers.delete(worker)) return
    worker.child.ref()
    worker.child.kill('SIGKILL')
    finish(worker, new PoolError(reason, reason === 'timeout' ? 'The task took too long' : 'The process ended'))
    next()
  }

  function next(): void {
    while (!closed && queue.size > 0) {
      const idle = [...workers].find(({ job }) => job === undefined)
      if (idle === undefined && workers.size >= processes) return
      const [job] = queue.take(1)
      if (job !== undefined) assign(idle ?? start(), job)
    }
  }

  return {
    run(task, { group, timeoutMs, signal }) {
      return new Promise((resolve, reject) => {
        if (closed || signal?.aborted === true) return reject(new PoolError('aborted', 'The task was aborted'))
        const abort = () => {
          queue.delete(group, job)
          const worker = [...workers].find(worker => worker.job === job)
          job.settle(new PoolError('aborted', 'The task was aborted'))
          if (worker !== undefined) remove(worker, 'crashed')
        }
        const job: Job = {
          task,
          group,
          timeoutMs,
          settle(error, answer) {
            signal?.removeEventListener('abort', abort)
            if (error === null) resolve(answer)
            else reject(error)
          },
        }
        signal?.addEventListener('abort', abort)
        const refused = queue.push(group, job)
        refused?.settle(new PoolError('full', 'Too many tasks wait'))
        next()
      })
    },

    async close() {
      closed = true
      for (const job of queue.take(queue.size)) job.settle(new PoolError('aborted', 'The pool is closing'))
      const ended = Array.from(workers, ({ ended }) => ended)
      for (const worker of workers) remove(worker, 'crashed')
      await Promise.all(ended)
    },
  }
}

/** The memory of a process; NaN if it has ended, and on systems without /proc. */
function residentMb(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
