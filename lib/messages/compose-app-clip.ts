import "server-only";
import { getAccountOptions } from "@/lib/accounts/get-account-options";
import type { StoredAppClipPart } from "@/lib/messages/app-clip-part";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors";

/**
 * An app clip as it is kept, with what its card says: of the account's registered clips the one whose prefix the URL has
 * (partner-api.md, app_clip; contract.md 2.7). Errors: app_clip_invalid.
 */
export async function composeAppClip(ctx: Context, value: string): Promise<StoredAppClipPart> {
  const { app_clips } = await getAccountOptions(ctx.account.id);
  const href = URL.parse(value)?.href;
  // Of two prefixes the longer one is meant.
  const [clip] = app_clips
    .filter(({ url_prefix }) => href?.startsWith(url_prefix))
    .sort((left, right) => right.url_prefix.length - left.url_prefix.length);
  if (clip === undefined) {
    fail(
      "app_clip_invalid",
      "value must be a checkout link of yours or begin with a registered app clip's prefix",
    );
  }
  return { type: "app_clip", value, title: clip.name };
}
