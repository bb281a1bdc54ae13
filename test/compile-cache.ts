import { enableCompileCache, getCompileCacheDir } from 'node:module'

// Loaded into each test process, so that it reuses the compiled code of earlier processes. Coverage is less precise with
// it, so a run with coverage does not use it.
if (process.env.NODE_V8_COVERAGE === undefined) {
  enableCompileCache()
  process.env.NODE_COMPILE_CACHE ??= getCompileCacheDir()
}
