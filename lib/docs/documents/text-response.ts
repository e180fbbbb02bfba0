import "server-only";

/** A response with text for programs. The browser may reuse it for five minutes. */
export function textResponse(text: string, type: "text/plain" | "text/markdown"): Response {
  return new Response(text, {
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "public, max-age=300" },
  });
}
