import "server-only";
import type { Context } from "@/lib/platform/context";
import type { Contract } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";
import { TOKEN_SCOPES, type TokenScope } from "@/lib/platform/rights/token-scope";

/** The scope that covers each tag of the API. Operations of other tags need a token without scopes, or read_only. */
const SCOPE_BY_TAG: Readonly<Record<string, TokenScope>> = {
  "Agent payments": "payments",
  Attachments: "messaging",
  "Blocked handles": "messaging",
  Capability: "messaging",
  Chats: "messaging",
  "Contact cards": "messaging",
  Experiences: "messaging",
  Locations: "messaging",
  Messages: "messaging",
  "Payment requests": "payments",
  "Phone lines": "messaging",
  Polls: "messaging",
  Simulator: "messaging",
  V2: "messaging",
};

/** API tags that only the scope read_only covers. */
const ACCOUNT_TAGS = ["Account", "Requests", "Webhooks"];

/** API tags that every token can use: the scopes decide which tools the MCP server has. */
const SHARED_TAGS = ["MCP"];

const READS = new Set(["GET", "HEAD"]);
/** Reads under these tags return card credentials and wallet links, so read_only does not cover them. */
const NOT_READ_ONLY = new Set(["Agent payments"]);

/** The properties of an operation that determine the scopes that allow it. */
export type ScopedOperation = Pick<Contract, "tag" | "scopes">;

/**
 * The scopes that cover an operation: those in its contract, otherwise its tag's, plus read_only for reads. Webhooks
 * and the event stream report events of all types, so neither messaging nor payments covers them.
 */
function scopesOf({ tag, scopes }: ScopedOperation, method: string): readonly TokenScope[] {
  if (scopes !== undefined) return scopes;
  if (SHARED_TAGS.includes(tag)) return TOKEN_SCOPES;
  const own = SCOPE_BY_TAG[tag];
  const isRead = READS.has(method) && !NOT_READ_ONLY.has(tag);
  return [...(own === undefined ? [] : [own]), ...(isRead ? (["read_only"] as const) : [])];
}

/** The operations of a tag that a scope allows. */
export type ScopeCoverage = Record<TokenScope, "all" | "reads" | "none">;

/** The operations that each scope allows, by tag. A contract that names its own scopes takes precedence. */
export function scopeCoverage(): { tag: string; allows: ScopeCoverage }[] {
  return [...Object.keys(SCOPE_BY_TAG), ...ACCOUNT_TAGS, ...SHARED_TAGS].map((tag) => {
    const covers = (scope: TokenScope) => {
      if (scopesOf({ tag }, "POST").includes(scope)) return "all";
      return scopesOf({ tag }, "GET").includes(scope) ? "reads" : "none";
    };
    return {
      tag,
      allows: {
        messaging: covers("messaging"),
        payments: covers("payments"),
        read_only: covers("read_only"),
      },
    };
  });
}

/** Rejects an operation outside the scopes of the caller's token; no scopes = full access. Errors: access_denied. */
export function requireScope(
  { actor }: Pick<Context, "actor">,
  operation: ScopedOperation,
  method: string,
): void {
  if (actor.type !== "api" || actor.scopes === undefined) return;
  const granted = actor.scopes;
  if (scopesOf(operation, method).some((scope) => granted.includes(scope))) return;
  fail("access_denied", `this token is restricted to ${granted.join(", ")}`);
}
