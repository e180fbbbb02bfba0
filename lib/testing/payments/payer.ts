import { routes } from "@/.generated/route-table";
import { createApiRouter } from "@/lib/runtime/server/api-router";

const router = createApiRouter(routes);

/** Opens a page of the hosted checkout like a browser without JavaScript, or posts a form to it. */
export async function visitPage(
  url: string,
  { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  const response = await router.fetch(new Request(url, { ...body, headers }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}
