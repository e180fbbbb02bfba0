import { routes } from "@/.generated/route-table";
import { createApiRouter } from "@/lib/runtime/server/api-router";

const router = createApiRouter(routes);

/** Opens a page that is handled before Next, as a browser would. Redirects are not followed. */
export async function openPage(
  url: string,
  init?: RequestInit,
): Promise<{ response: Response; text: string }> {
  const response = await router.fetch(new Request(new URL(url, "http://trunkline.test"), init));
  return { response, text: await response.text() };
}
