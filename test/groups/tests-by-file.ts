import type { Test } from 'tap'

/** The test that contains what a file of this group tests, by the URL of the file. */
export const tests = new Map<string, Test>()
