import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname
/** A group of modules that is loaded after the shared one, whose modules it uses. */
const LATER = { priority: 2, includeDependenciesRecursively: false }

/** Writes `<file>.gz` and `<file>.br` beside each built file of text, so that the server compresses nothing. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    configResolved(config) {
      outDir = config.build.outDir
    },
    closeBundle() {
      const assets = join(outDir, 'assets')
      const files = [join(outDir, 'index.html'), ...readdirSync(assets).map(name => join(assets, name))]
      for (const file of files.filter(name => /\.(html|js|css|svg)$/.test(name))) {
        const bytes = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      }
    },
  }
}

export default defineConfig({
  root,
  // The page must not depend on the environment of the process that builds it.
  envDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: join(root, '../../dist/dashboard'),
    emptyOutDir: true,
    // light-dark() stays as it is written.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // `data:` fonts are against the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // Without the names of the pages that share a part.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What every first page needs, at once with the entry.
            { name: 'entry', tags: ['$initial'], priority: 2 },
            // What the start page does not show until somebody acts.
            { ...LATER, name: 'toasts', test: /[\\/]react[\\/]toast[\\/]|[\\/]toast-list\./ },
            {
              ...LATER,
              ...{
                name: 'choices',
                test: /[\\/]react[\\/](?:checkbox|radio|switch)[\w-]*[\\/]|[\\/]ui[\\/]choice\./,
              },
            },
            // What the frame and most pages need: one file instead of one for each set of pages that share a module.
            { name: 'shared', test: /node_modules|[\\/]page[\\/](?:ui|lib)[\\/]/, priority: 1 },
            {
              name: 'parts',
              test: /[\\/]page[\\/]pages[\\/]/,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 3_000,
            },
          ],
        },
      },
      onLog(level, log, handle) {
        // 'use client' in a package concerns servers that render React.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
      },
    },
  },
  plugins: [precompress()],
})
