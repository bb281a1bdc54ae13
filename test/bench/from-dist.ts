/** Imports a built module, typed as the source it is built from: `tsc` knows nothing of dist, which may not be there yet. */
export async function fromDist<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as Module
}
