// Entry points import this first: dependencies fail on an older Node.js while they are imported, with a stack that does
// not name the cause. It imports nothing and uses no syntax that an older Node.js lacks.

const MAJOR = 22
const MINOR = 19

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < MAJOR || (major === MAJOR && minor < MINOR)) {
  process.stderr.write(
    `This needs Node.js ${MAJOR}.${MINOR} or newer, and is running on ${process.versions.node}. ` +
      'Install a newer one (https://nodejs.org). A checkout has one after `npm ci`: node_modules/.bin/node.\n',
  )
  process.exit(1)
}
