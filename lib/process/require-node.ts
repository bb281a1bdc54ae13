// Entry points import this file first and everything else with import(). An older Node.js links all static imports before
// it runs any of them, and fails on syntax or names that it lacks. This file imports nothing and uses only old syntax.

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
