import "server-only";
import type { Context } from "@/lib/platform/context";

/** The content of an experience's card and its target, determined when the card is sent. */
export interface CardContent {
  /** The target of a tap: an absolute https URL, or a URL of this instance. */
  url: string;
  title: string;
  subtitle: string | null;
  /** A short text beside the title, such as an amount. */
  aside: string | null;
  /** The subject that the card follows. `toCard` shows the card as done when the subject succeeds. null = none. */
  subject: { type: "payment_request" | "agent_payment"; id: string } | null;
}

/** One invocation of an action, with params that were checked against the action's fields. */
export interface ActionCall {
  ctx: Context;
  params: Readonly<Record<string, string | number>>;
  /** The handle of the recipient. */
  recipient: string;
}

/** Returns a field's text, or null when it was omitted. */
export function textOf(params: ActionCall["params"], name: string): string | null {
  const value = params[name];
  return value === undefined ? null : String(value);
}
