/** Turns the direction of writing, steers a terminal, or writes what nobody sees: what a value shows is not what it is. */
const MISLEADING = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}\u{E0000}-\u{E0FFF}]/u
/** Joiners, soft hyphens and selectors are part of plain writing; many of them are a writing of their own. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const MAX_UNSEEN = 16

/**
 * What is wrong with the form of a parsed JSON value, as the end of a sentence: more than `depth` levels, or what
 * JavaScript and PostgreSQL's jsonb read otherwise. Undefined for a value without fault.
 */
export function formFault(value: unknown, depth: number): string | undefined {
  if (isDeeper(value, depth)) return `is nested more than ${depth} deep`
  for (const { value: part, name } of partsOf(value)) {
    if (name === '__proto__') return 'has a member named __proto__'
    if (typeof part === 'number' && !Number.isFinite(part)) return 'has a number out of range'
  }
  return undefined
}

/** Whether a value has more than `depth` levels: what walks it by recursion is asked here before. */
export function isDeeper(value: unknown, depth: number): boolean {
  for (const { level } of partsOf(value)) if (level > depth) return true
  return false
}

/** What is wrong with the texts and names in a JSON value: what jsonb does not hold, and what misleads a reader. */
export function textFault(value: unknown): string | undefined {
  let unseen = 0
  for (const { value: part, name = '' } of partsOf(value))
    for (const text of typeof part === 'string' ? [name, part] : [name]) {
      if (text.includes('\0') || !text.isWellFormed()) return 'has a text with characters that are none'
      unseen += text.match(UNSEEN)?.length ?? 0
      if (MISLEADING.test(text) || unseen > MAX_UNSEEN) return 'has a name or value with invisible characters'
    }
  return undefined
}

/** All values in a value, itself among them; `level` counts the objects and lists, and is theirs. */
function* partsOf(root: unknown): Generator<{ value: unknown; level: number; name?: string }> {
  const left: { value: unknown; level: number; name?: string }[] = [{ value: root, level: 1 }]
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    const { value, level } = part
    const holds = typeof value === 'object' && value !== null
    yield holds ? part : { ...part, level: level - 1 }
    if (holds) for (const [name, member] of Object.entries(value)) left.push({ value: member, level: level + 1, name })
  }
}
