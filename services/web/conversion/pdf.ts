import { extractText, getDocumentProxy, getMeta } from 'unpdf'

const MAX_PAGES = 500

/** The text of a PDF as Markdown, with a rule between its pages. Throws if it is not a PDF or is encrypted. */
export async function readPdf(body: Uint8Array): Promise<{ markdown: string; title: string | undefined }> {
  const document = await getDocumentProxy(new Uint8Array(body), { disableFontFace: true, useSystemFonts: false })
  if (document.numPages > MAX_PAGES) throw new RangeError(`The PDF has ${document.numPages} pages`)
  const { text } = await extractText(document, { mergePages: false })
  const { info } = await getMeta(document).catch(() => ({ info: undefined }))
  const title: unknown = info?.Title
  return {
    markdown: text.map(page => page.trim()).join('\n\n---\n\n'),
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined,
  }
}
