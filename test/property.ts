import fc from 'fast-check'

/** The default seed. `FC_SEED` overrides it with a number or `random`. */
const SEED = 20_261_121

const chosen = process.env.FC_SEED
// The same cases in each run, so that a new failure comes from a change. A failure prints its seed.
if (chosen !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(chosen ?? SEED) })

export default fc
