import { readFileSync } from 'node:fs'

// A process of the pool that tries to read the files it is asked for, and answers what it got. Asked for a number, it holds
// so many MB outside of the heap for a second.
process.on('message', async (paths: string[] | number) => {
  if (typeof paths === 'number') {
    const held = Array.from({ length: paths }, () => Buffer.alloc(1024 ** 2, 1))
    await new Promise(resolve => setTimeout(resolve, 1_000))
    process.send?.({ answer: held.length })
    process.send?.({ done: true })
    return
  }
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
