import type { Arbitrary, StringConstraints } from 'fast-check'
import fc from './property.ts'

/** Any text, like `unit: 'binary'`, but without the second that fast-check needs for its table of all characters. */
export function anyText(constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> {
  return fc.string({ ...constraints, unit: character })
}

/** The range of the surrogates, which are not characters. */
const [SURROGATES_START, SURROGATES_END] = [0xd800, 0xe000]

const character = fc.nat({ max: 0x10ffff - (SURROGATES_END - SURROGATES_START) }).map(
  index => String.fromCodePoint(index < SURROGATES_START ? index : index + SURROGATES_END - SURROGATES_START),
  text => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || text !== String.fromCodePoint(code)) throw new TypeError('Not a single character')
    return code < SURROGATES_START ? code : code - (SURROGATES_END - SURROGATES_START)
  },
)
