/** Imports a built module with the types of its source, because dist may not exist yet when `tsc` runs. */
export async function fromDist<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as Module
}
