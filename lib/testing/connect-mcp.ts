import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** A result of a tool as its JSON value, and whether the tool failed. */
export interface ToolAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  value: any;
  isError: boolean;
}

/** Connects the official MCP client to a served API. `older`: a client of the revisions before 2026-07-28. */
export async function connectMcp(baseUrl: string, token: string, { older = false } = {}) {
  const mode = older ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { requestInit }));

  return {
    client,
    async tools() {
      return (await client.listTools()).tools;
    },
    async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [first] = content;
      const text = first?.type === "text" ? first.text : "null";
      return { value: parse(text), isError: isError === true };
    },
    close: () => client.close(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
