/** What the log calls the errors of JSON-RPC that POST /mcp answers a message with. */
const WORDS: Readonly<Record<string, string>> = {
  '-32601': 'method_not_found',
  '-32602': 'invalid_params',
  '-32000': 'unsupported_version',
  '-32020': 'header_mismatch',
  '-32022': 'unsupported_version',
}

/** How a message was answered, by the JSON of the answer, which the gateway has made: `ok`, or a word for its error. */
export function rpcOutcome(answer: string): string {
  // Behind the id alone; within it, the quotes would be escaped.
  const code = /^\{"jsonrpc":"2\.0","id":(?:"(?:[^"\\]|\\.)*"|[^,]*),"error":\{"code":(-\d+)/.exec(answer)?.[1]
  return code === undefined ? 'ok' : (WORDS[code] ?? 'error')
}
