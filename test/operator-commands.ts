import { createOperatorCommands } from '../services/operator/operator-commands.ts'

/** The commands in the messages of services that a test creates itself. */
export const commands = createOperatorCommands({ commandPrefix: 'npm run -s cli --' })
