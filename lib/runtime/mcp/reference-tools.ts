import "server-only";
import { z } from "zod";
import type { ScopedOperation } from "@/lib/identity/tokens/require-scope";
import { errorDocUrl } from "@/lib/platform/errors/error-doc-url";
import { documentedError } from "@/lib/platform/errors/error-guidance";
import { fail } from "@/lib/platform/errors/errors";
import { RETRY_SENTENCES } from "@/lib/platform/errors/guidance";
import { TOKEN_SCOPES } from "@/lib/platform/rights/token-scope";
import { mcpTool } from "@/lib/runtime/mcp/mcp-tool";
import { searchDocs } from "@/lib/runtime/mcp/search-docs";

/** The documentation is public, so every token can read it. */
const PUBLIC: ScopedOperation = { tag: "Account", scopes: TOKEN_SCOPES };

const explainError = mcpTool({
  name: "explain_error",
  title: "Explain an error code",
  description:
    "Explains a four-digit error code of the API, of a failed message or of a payment: what it means, the action to take, and whether a retry can help.",
  operation: PUBLIC,
  method: "GET",
  input: z.object({ code: z.int().min(1000).max(9999).describe("Error code, such as 2024.") }),
  async run(_, { code }) {
    const documented = documentedError(code) ?? fail("name_unknown", `there is no error code ${code}`);
    return {
      code,
      title: documented.title,
      http_statuses: documented.statuses,
      meaning: documented.means,
      action: documented.fix,
      retry: RETRY_SENTENCES[documented.retry],
      doc_url: errorDocUrl(code),
    };
  },
});

const searchDocumentation = mcpTool({
  name: "search_docs",
  title: "Search the documentation",
  description:
    "Searches the documentation of this instance: guides, API and simulator operations with their parameters, webhook event types, error codes and simulator faults. Use it before you write code against the API.",
  operation: PUBLIC,
  method: "GET",
  input: z.object({
    query: z.string().trim().min(2).max(200).describe("A few words, such as: edit message window."),
    limit: z.int().min(1).max(20).default(5).describe("Number of sections."),
  }),
  async run(_, { query, limit }) {
    return { sections: searchDocs(query, limit) };
  },
});

/** Tools that read the documentation. */
export const REFERENCE_TOOLS = [explainError, searchDocumentation];
