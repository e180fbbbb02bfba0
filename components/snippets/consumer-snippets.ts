import type { SnippetContext } from "@/components/snippets/snippet-context";

/** Polls a consumer and acknowledges what it returned. With `isNew`, creates the consumer first. */
export function consumerSnippets({
  baseUrl,
  name,
  isNew = false,
}: Pick<SnippetContext, "baseUrl"> & { name: string; isNew?: boolean }): {
  curl: string;
  typescript: string;
} {
  const consumer = `${baseUrl}/v3/consumers/${name}`;
  return {
    curl: `auth="Authorization: Bearer $TRUNKLINE_TOKEN"
${isNew ? `curl -X PUT ${consumer} -H "$auth"\n` : ""}curl -X POST ${consumer}/poll -H "$auth" -H "Content-Type: application/json" -d '{ "wait_seconds": 30 }'
# Replace ID and LEASE with the id of the last event and lease.token of the response.
curl -X POST ${consumer}/ack -H "$auth" -H "Content-Type: application/json" -d '{ "up_to": "ID", "lease": "LEASE" }'`,
    typescript: `const headers = { authorization: \`Bearer \${process.env.TRUNKLINE_TOKEN}\`, "content-type": "application/json" };
const call = async (method: string, path = "", body = {}) =>
  (await fetch(\`${consumer}\${path}\`, { method, headers, body: JSON.stringify(body) })).json();

${isNew ? `await call("PUT");\n` : ""}const { events, lease } = await call("POST", "/poll", { wait_seconds: 30 });
if (lease) await call("POST", "/ack", { up_to: events.at(-1).id, lease: lease.token });`,
  };
}
