import {
  Ban,
  Flag,
  KeyRound,
  type LucideIcon,
  MessageSquareText,
  Receipt,
  ShieldBan,
  UserPlus,
  Webhook,
} from "lucide-react";
import type { Right } from "@/lib/platform/right";

type PaletteAction = { label: string; href: string; icon: LucideIcon; keywords: string[]; right: Right };

/** The actions of the palette. Each opens the page with its form. */
const actions: PaletteAction[] = [
  {
    label: "Generate an API token",
    href: "/tokens?generate",
    icon: KeyRound,
    keywords: ["new", "create", "key"],
    right: "manage_tokens",
  },
  {
    label: "Block a number",
    href: "/blocked-handles",
    icon: ShieldBan,
    keywords: ["handle", "email", "spam", "unblock"],
    right: "manage_blocks",
  },
  {
    label: "Add an opt-out",
    href: "/opt-outs",
    icon: Ban,
    keywords: ["stop", "unsubscribe", "consent"],
    right: "decide_opt_outs",
  },
  {
    label: "Create a payment request",
    href: "/payments",
    icon: Receipt,
    keywords: ["new", "checkout", "invoice"],
    right: "request_payments",
  },
  {
    label: "Add a webhook endpoint",
    href: "/webhooks",
    icon: Webhook,
    keywords: ["new", "create", "subscription"],
    right: "manage_webhooks",
  },
  {
    label: "Invite a person",
    href: "/settings/people",
    icon: UserPlus,
    keywords: ["new", "add", "team", "member", "user"],
    right: "manage_people",
  },
  {
    label: "Edit canned replies",
    href: "/settings/canned-replies",
    icon: MessageSquareText,
    keywords: ["new", "create", "template"],
    right: "send_messages",
  },
  {
    label: "Flag a line",
    href: "/lines",
    icon: Flag,
    keywords: ["status", "operator", "restrict"],
    right: "flag_lines",
  },
];

/** The actions that the user has the right to run. */
export function actionsFor(may: (right: Right) => boolean): PaletteAction[] {
  return actions.filter(({ right }) => may(right));
}
