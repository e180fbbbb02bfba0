"use client";

import Link from "next/link";
import { providerName } from "@/components/agent-payments/provider-name";
import { customerHref } from "@/components/customers/customer-href";
import { NamedHandle } from "@/components/customers/handle-link";
import { None } from "@/components/data/none";
import { objectText } from "@/components/settings/describe-entry";
import type { AuditEntry } from "@/lib/identity/audit/list-audit-entries";

type Entry = Pick<AuditEntry, "object_type" | "object_id" | "object" | "is_object_gone" | "detail">;

/** Pages of objects whose ID is in the path. */
const PAGES: Readonly<Record<string, string>> = {
  agent_payment: "/agent-payments",
  attachment: "/attachments",
  chat: "/chats",
  consumer: "/webhooks/consumers",
  line: "/lines",
  payment_request: "/payments",
  webhook_subscription: "/webhooks",
};

/** Pages that show all objects of a type. */
const LISTS: Readonly<Record<string, string>> = {
  account: "/settings",
  agent_pay_settings: "/agent-payments/limits",
  api_token: "/tokens",
  app_clip: "/settings",
  canned_reply: "/settings/canned-replies",
  card_provider: "/agent-payments/limits",
  opt_out_hint: "/opt-outs/near-misses",
  partner: "/settings/security",
  team: "/settings/teams",
  user: "/settings/people",
};

/** Objects whose ID is a handle. */
const OF_HANDLES = ["handle", "handle_connection", "passkey", "wallet"];

/** The page of an entry's object; undefined if there is none. */
export function objectHref({ object_type, object_id, is_object_gone, detail }: Entry): string | undefined {
  if (is_object_gone) return undefined;
  if (object_id === null) return LISTS[object_type];
  if (object_type === "message") {
    return typeof detail.chat_id === "string" ? `/chats/${detail.chat_id}` : undefined;
  }
  if (OF_HANDLES.includes(object_type)) return customerHref(object_id);
  const page = PAGES[object_type];
  return page === undefined ? LISTS[object_type] : `${page}/${object_id}`;
}

/** The object of an audit entry by name, linked to its page. */
export function EntryObject({ entry }: { entry: Entry }) {
  const href = objectHref(entry);
  const text = <ObjectName entry={entry} />;
  if (href === undefined) return text;
  return (
    <Link
      href={href}
      className="underline decoration-foreground/30 underline-offset-4 hover:decoration-current"
    >
      {text}
    </Link>
  );
}

function ObjectName({ entry: { object_type, object_id, object } }: { entry: Entry }) {
  if (object !== null) return <span className="wrap-anywhere">{object}</span>;
  if (object_id === null) return <None />;
  if (OF_HANDLES.includes(object_type)) return <NamedHandle handle={object_id} />;
  if (object_type === "card_provider") return providerName(object_id);
  return (
    <span title={object_id}>
      {objectText(object_type)}{" "}
      <span className="whitespace-nowrap font-mono text-xs">…{object_id.slice(-6)}</span>
    </span>
  );
}
