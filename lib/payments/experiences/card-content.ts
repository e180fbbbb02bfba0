import "server-only";
import type { Context } from "@/lib/platform/context";

/** What an experience's card shows and where it leads, settled when it is sent. */
export interface CardContent {
  /** Where a tap leads: absolute, https but for addresses of this instance. */
  url: string;
  title: string;
  subtitle: string | null;
  /** A word beside the title, such as an amount. */
  aside: string | null;
  /** What the card is about and follows: `toCard` shows it as done once that has ended well. null = nothing. */
  subject: { type: "payment_request" | "agent_payment"; id: string } | null;
}

/** One invocation of an action, its params checked against the action's fields. */
export interface ActionCall {
  ctx: Context;
  params: Readonly<Record<string, string | number>>;
  /** The handle it goes to. */
  recipient: string;
}

/** A field's text, or null where it was left out. */
export function textOf(params: ActionCall["params"], name: string): string | null {
  const value = params[name];
  return value === undefined ? null : String(value);
}
