import { readFileSync } from 'node:fs'

// A process of the pool that tries to read the files it is asked for, and answers what it got.
process.on('message', (paths: string[]) => {
  const answer = paths.map(path => {
    try {
      return readFileSync(path).length > 0 ? 'read' : 'empty'
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
  })
  process.send?.({ answer })
  process.send?.({ done: true })
})
process.send?.({ ready: true })
