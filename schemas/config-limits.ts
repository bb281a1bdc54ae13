import { Type } from '@sinclair/typebox'

/** A maximum number of something. */
function Count(defaultValue: number) {
  return Type.Integer({
    default: defaultValue,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'a whole number, from 1 to 1000000000',
  })
}

/** The minimum is larger than one stored result or memory. */
function Bytes(defaultValue: number) {
  return Type.Integer({
    default: defaultValue,
    minimum: 1024 ** 2,
    maximum: 2 ** 50,
    description: `a whole number of bytes, from ${1024 ** 2} (1 MiB) to ${2 ** 50} (1 PiB)`,
  })
}

/** The variables that limit what is stored. */
export const LIMIT_VARIABLES = {
  STORED_RESULTS_MAX_BYTES: Bytes(1024 ** 3),
  STORED_RESULTS_MAX_BYTES_PER_KEY: Bytes(256 * 1024 ** 2),
  MEMORY_MAX_COUNT: Count(50_000),
  MEMORY_MAX_BYTES: Bytes(256 * 1024 ** 2),
  MEMORY_MAX_COUNT_PER_MEMBER: Count(10_000),
  MEMORY_MAX_BYTES_PER_MEMBER: Bytes(64 * 1024 ** 2),
}
