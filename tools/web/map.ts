import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/string-enum.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Web } from '../../services/web/create-web.ts'
import { PageUrl, READS_THE_WEB } from './arguments.ts'

/** `web__map`: lists the URLs of a site. */
export function mapSite(web: Pick<Web, 'mapSite'>): AnyTool {
  return defineTool({
    name: 'web__map',
    title: 'List the pages of a site',
    description:
      'List the URLs of a site, from the sitemaps that its robots.txt names (or /sitemap.xml) and from the links of the given ' +
      'page. Use search to find the pages about something by words in their URLs, then read them with web__fetch. Also ' +
      'returns the URL of the site’s llms.txt, an overview for models, if there is one.',
    annotations: READS_THE_WEB,
    input: Type.Object(
      {
        url: PageUrl,
        search: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'Only URLs that contain all of these words.' }),
        ),
        sitemap: Type.Optional(
          StringEnum(['include', 'skip', 'only'], {
            default: 'include',
            description: 'Whether to read the sitemaps besides the links of the page, not at all, or only them.',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 5_000, default: 500, description: 'The maximum number of URLs.' }),
        ),
        include_subdomains: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether to include URLs of subdomains.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      urls: Type.Array(
        Type.Object({
          url: Type.String(),
          lastmod: Type.Optional(Type.String({ description: 'When the page changed, as the sitemap says it.' })),
        }),
      ),
      sources: Type.Array(Type.String(), { description: 'Where the URLs were found.' }),
      truncated: Type.Boolean({ description: 'Whether the site has more matching URLs, or may have.' }),
      llms_txt: Type.Optional(Type.String()),
    }),

    async run(args, { caller, signal }) {
      const { url, search, sitemap = 'include', limit = 500, include_subdomains: includeSubdomains = false } = args
      const request = { url, search, sitemap, limit, includeSubdomains }
      const { llmsTxt, ...found } = await web.mapSite(request, { orgId: caller.orgId, signal })
      return structured({ ...found, ...(llmsTxt !== undefined && { llms_txt: llmsTxt }) })
    },
  })
}
