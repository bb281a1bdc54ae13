import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import { convert } from '../../../services/web/conversion/convert.ts'
import type { Conversion } from '../../../services/web/conversion/tasks.ts'
import { mean, plainText, wordF1 } from './word-f1.ts'

// For authors of the extraction: `node test/services/web/measure-wcxb.ts <directory> [n]` prints the F1 of each type of page of
// the development set of WCXB (every n-th page), and the CPU time. It downloads 130 MB into the directory if it is not there.

const REPOSITORY = 'Murrough-Foley/web-content-extraction-benchmark'
const COMMIT = 'c039d5ee9f5a3a984a0e167e63aacd04e76e78a9'
/** SHA-256 over the names and contents of all files of `dev/`, in the order of their names. */
const DIGEST = '4ef4c8acd8b1cebbb58fcf5df20de7eac5d2d1ffe97ef913049caac337e0cc1f'

/** The time for a page, in milliseconds of CPU time. */
const TASK_MS = 2_000

interface Truth {
  url?: string
  _internal?: { page_type?: { primary?: string } }
  ground_truth: { main_content?: string }
}

const [directory, every = '1'] = process.argv.slice(2)
if (directory === undefined) throw new Error('Name a directory for the data: measure-wcxb.ts <directory> [n]')
const root = join(directory, `web-content-extraction-benchmark-${COMMIT}`)
const pages = join(root, 'dev', 'html')
const truths = join(root, 'dev', 'ground-truth')
if (!existsSync(pages)) await download(directory)
verify()

const scores = new Map<string, number[]>()
let bytes = 0
let firstMs = 0
let allMs = 0
for (const [i, file] of readdirSync(truths).sort().entries()) {
  if (i % Number(every) !== 0) continue
  const {
    url = 'https://a.example/',
    _internal,
    ground_truth,
  } = JSON.parse(readFileSync(join(truths, file), 'utf8')) as Truth
  const body = gunzipSync(readFileSync(join(pages, file.replace('.json', '.html.gz'))))
  const task = { kind: 'convert', body, contentType: 'text/html; charset=utf-8', url, view: 'article' } as const
  // In this process, whose CPU time can be read. As in a process of the pool, an answer that comes too late does not count.
  const before = process.threadCpuUsage()
  let ms = 0
  const answers: Conversion[] = []
  for await (const answer of convert(task)) {
    const { user, system } = process.threadCpuUsage(before)
    ms = (user + system) / 1_000
    if (answers.length === 0) firstMs += ms
    if (answers.length === 0 || ms < TASK_MS) answers.push(answer as Conversion)
  }
  const type = _internal?.page_type?.primary ?? 'article'
  const f1 = wordF1(plainText(answers.at(-1)?.markdown ?? ''), ground_truth.main_content ?? '')
  scores.set(type, [...(scores.get(type) ?? []), f1])
  allMs += ms
  bytes += body.length
}

for (const [type, f1] of [...scores].sort()) console.log(`${type} ${mean(f1).toFixed(3)} (${f1.length} pages)`)
console.log(`all ${mean([...scores.values()].flat()).toFixed(3)}`)
const perMb = (ms: number) => Math.round(ms / (bytes / 1_000_000))
console.log(`CPU ms/MB: stage 1 ${perMb(firstMs)}, both ${perMb(allMs)}`)

async function download(to: string): Promise<void> {
  const url = `https://codeload.github.com/${REPOSITORY}/tar.gz/${COMMIT}`
  try {
    const response = await fetch(url)
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    mkdirSync(to, { recursive: true })
    const tar = spawn('tar', ['xz', '-C', to], { stdio: ['pipe', 'inherit', 'inherit'] })
    await pipeline(Readable.fromWeb(response.body), tar.stdin)
    await new Promise(resolve => tar.once('close', resolve))
  } catch (cause) {
    throw new Error(`Cannot download ${url}. Download it elsewhere, and unpack it as ${root}.`, { cause })
  }
}

function verify(): void {
  const hash = createHash('sha256')
  for (const folder of [truths, pages])
    for (const name of readdirSync(folder).sort()) hash.update(`${name}\0`).update(readFileSync(join(folder, name)))
  const digest = hash.digest('hex')
  if (digest !== DIGEST) throw new Error(`${root} is not the pinned data: its SHA-256 is ${digest}. Remove it.`)
}
