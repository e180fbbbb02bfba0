import "server-only";
import type { Context } from "@/lib/platform/context";
import { hasRight } from "@/lib/platform/rights/role-rights";

// Slashes as they are, as JSON may escape them, and as a query encodes them. A truncated link is redacted too.
const SLASH = String.raw`(?:\\?/|%2F)`;
const WALLET_LINK = new RegExp(`(${SLASH}wallet${SLASH}(?:attach|approve)${SLASH})[\\w.-]+`, "gi");

/**
 * Removes the secret part of wallet links (`attach_url`, `approval_url`) from a text, because text in logs and on pages
 * must not lead to a customer's wallet (docs/contract.md, section 14.2).
 */
export function redactWalletLinks(text: string): string {
  return text.replace(WALLET_LINK, "$1[redacted]");
}

/** Like `redactWalletLinks`, for every text in a JSON value. */
export function withoutWalletLinks<Value>(value: Value): Value {
  return redacted(value) as Value;
}

/** A result as this reader may see it: people who don't manage payments see no wallet links. */
export function forReader<Value>(ctx: Pick<Context, "actor">, value: Value): Value {
  const mayOpen = ctx.actor.type !== "user" || hasRight(ctx, "manage_payments");
  return mayOpen ? value : withoutWalletLinks(value);
}

function redacted(value: unknown): unknown {
  if (typeof value === "string") return redactWalletLinks(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redacted(each)]));
}
