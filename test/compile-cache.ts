import { enableCompileCache, getCompileCacheDir } from 'node:module'

// Loaded into each process of the tests: it reuses the compiled code of the process before it. Coverage is less precise
// with it, so a run that measures coverage does without it.
if (process.env.NODE_V8_COVERAGE === undefined) {
  enableCompileCache()
  process.env.NODE_COMPILE_CACHE ??= getCompileCacheDir()
}
