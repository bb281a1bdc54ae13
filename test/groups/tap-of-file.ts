import { tests } from './tests-by-file.ts'

// Imported in place of tap by each file of a group. The query of the URL names the file, so each gets its own test.
export default tests.get(new URL(import.meta.url).searchParams.get('of') ?? '')
