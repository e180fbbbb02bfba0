import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Lists the App Clips that open the checkout's links (APPLE_APP_CLIP_IDS). */
export const GET = plainRoute(async () => {
  const ids = env().APPLE_APP_CLIP_IDS;
  if (ids.length === 0) fail("route_unknown", "no app clip is configured: set APPLE_APP_CLIP_IDS");
  return Response.json({ appclips: { apps: ids } });
});
