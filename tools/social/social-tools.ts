import type { AnyTool } from '../../services/definitions/define-tool.ts'
import type { Social } from '../../services/social/create-social.ts'
import { getPost } from './get-post.ts'
import { getProfile } from './get-profile.ts'
import { listPosts } from './list-posts.ts'
import { searchPosts } from './search-posts.ts'
import { trending } from './trending.ts'

/** Creates the tools of the social family, for the networks that are configured. */
export function socialTools(social: Social): AnyTool[] {
  return [searchPosts(social), getPost(social), getProfile(social), listPosts(social), trending(social)]
}
