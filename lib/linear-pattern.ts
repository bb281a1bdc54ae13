import { RE2JS } from 're2js'
import type { ComputeBudget } from './compute-budget.ts'

/** The maximum number of instructions of a pattern, which determine the cost of compiling and of each character. */
const MAX_SIZE = 2_000
/** How many bytes the automaton of a pattern may grow before it is discarded. The engine itself allows 8 MiB. */
const MAX_GROWN = 1 << 20

/**
 * The number of instructions of a pattern in the linear engine; undefined if the engine does not support it: look-around,
 * back-references, too large, or invalid.
 */
export function linearSize(pattern: string): number | undefined {
  return compile(pattern)?.programSize()
}

/** Whether a text is a valid ECMA-262 regular expression, with or without the flag `u`. Does not run it. */
export function isRegExp(pattern: string): boolean {
  for (const flags of ['u', ''])
    try {
      new RegExp(pattern, flags)
      return true
    } catch {
      // It may be valid with the other flags.
    }
  return false
}

/** The part of a regular expression that Ajv uses. */
export interface LinearPattern {
  test(text: string): boolean
  toString(): string
}

/** A pattern that runs in linear time. One that the engine does not support always passes; the upstream must check it. */
export function linearPattern(pattern: string, budget: ComputeBudget): LinearPattern {
  let compiled = compile(pattern)
  const size = compiled?.programSize() ?? 0
  let grown = 0
  return {
    test(text) {
      compiled ??= compile(pattern)
      if (compiled === undefined) return true
      budget.spend(Math.ceil(text.length * (2 + size / 4)) + 1)
      const passes = compiled.test(text)
      grown += text.length * (150 + 8 * size)
      if (grown > MAX_GROWN) {
        compiled = undefined
        grown = 0
      }
      return passes
    },
    // Ajv uses this as the key of its pattern cache.
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

/** The approximate length of a pattern with its counted repetitions expanded, as the engine expands them first. */
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
