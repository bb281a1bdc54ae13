#!/usr/bin/env node
import './lib/process/require-node.ts'

// Not a static import: an older Node.js would fail on the syntax of the rest before it runs the check.
await import('./run-cli.ts')
