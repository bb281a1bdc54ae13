import fc from 'fast-check'

/** What a run begins from unless `FC_SEED` says otherwise: a number, or `random`. */
const SEED = 20_261_121

const asked = process.env.FC_SEED
// The same cases each time: what a run finds tells about the change, and not about luck. A failure prints its own seed.
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked ?? SEED) })

export default fc
