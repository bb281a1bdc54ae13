import { RE2JS } from 're2js'
import type { WorkMeter } from './work-meter.ts'

/** Instructions of a pattern at most: what compiling it costs, and each character of a text. */
const MAX_SIZE = 2_000
/** Bytes of automaton a pattern may grow before it begins anew; the engine itself lets it have 8 MiB. */
const MAX_GROWN = 1 << 20

/**
 * The instructions of a pattern in the linear engine; undefined for one that it does not run: it looks around, refers
 * back to a group, is too large, or is no pattern.
 */
export function linearSize(pattern: string): number | undefined {
  return compile(pattern)?.programSize()
}

/** Whether a text is a regular expression of ECMA-262, with or without its flag `u`. Nothing is run. */
export function isRegExp(pattern: string): boolean {
  for (const flags of ['u', ''])
    try {
      new RegExp(pattern, flags)
      return true
    } catch {
      // The other reading may take it.
    }
  return false
}

/** What Ajv asks of a regular expression. */
interface LinearPattern {
  test(text: string): boolean
  toString(): string
}

/** A pattern that ends in time linear in the text; one that the engine does not run is left to the upstream, and passes. */
export function linearPattern(pattern: string, meter: WorkMeter): LinearPattern {
  let compiled = compile(pattern)
  const size = compiled?.programSize() ?? 0
  let grown = 0
  return {
    test(text) {
      compiled ??= compile(pattern)
      if (compiled === undefined) return true
      meter.spend(Math.ceil(text.length * (2 + size / 4)) + 1)
      const passes = compiled.test(text)
      grown += text.length * (150 + 8 * size)
      if (grown > MAX_GROWN) {
        compiled = undefined
        grown = 0
      }
      return passes
    },
    // Ajv tells patterns apart by this.
    toString: () => pattern,
  }
}

function compile(pattern: string): RE2JS | undefined {
  if (pattern.length > MAX_SIZE || writtenOut(pattern) > MAX_SIZE) return undefined
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return compiled.programSize() <= MAX_SIZE ? compiled : undefined
  } catch {
    return undefined
  }
}

/** About a pattern's length with its counted repetitions written out, which is what the engine does first. */
function writtenOut(pattern: string): number {
  const groups = [0]
  let last = 0
  const add = (size: number) => {
    last = size
    groups.push((groups.pop() ?? 0) + size)
  }
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\{\d*(?:,\d*)?\}|[\s\S]/gu)) {
    if (token === '(') groups.push(0)
    else if (token === ')' && groups.length > 1) add(1 + (groups.pop() ?? 0))
    else if (/^\{.*\d/.test(token)) add(last * Math.max(...(token.match(/\d+/g) ?? []).map(Number)))
    else add(1)
  }
  return groups.reduce((sum, size) => sum + size, 0)
}
