import {
  Ban,
  Building2,
  Fingerprint,
  Flag,
  KeyRound,
  type LucideIcon,
  MessageSquareText,
  Receipt,
  ShieldBan,
  ShieldCheck,
  Undo2,
  UserPlus,
  Users,
  Webhook,
} from "lucide-react";
import type { Right } from "@/lib/platform/rights/right";

type PaletteAction = { label: string; href: string; icon: LucideIcon; keywords: string[]; right: Right };

/** The actions of the palette. Each opens its form on its page, except those of a line or a reply that must be chosen first. */
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
    href: "/blocked-handles?dialog=block",
    icon: ShieldBan,
    keywords: ["handle", "email", "spam", "unblock"],
    right: "manage_blocks",
  },
  {
    label: "Add an opt-out",
    href: "/opt-outs?dialog=opt-out",
    icon: Ban,
    keywords: ["stop", "unsubscribe", "consent"],
    right: "decide_opt_outs",
  },
  {
    label: "Create a payment request",
    href: "/payments?dialog=payment",
    icon: Receipt,
    keywords: ["new", "checkout", "invoice"],
    right: "request_payments",
  },
  {
    label: "Add a webhook endpoint",
    href: "/webhooks?dialog=endpoint",
    icon: Webhook,
    keywords: ["new", "create", "subscription"],
    right: "manage_webhooks",
  },
  {
    label: "Invite a person",
    href: "/settings/people?dialog=invite",
    icon: UserPlus,
    keywords: ["new", "add", "team", "member", "user"],
    right: "manage_people",
  },
  {
    label: "Create an account",
    href: "/settings/accounts",
    icon: Building2,
    keywords: ["new", "add", "sandbox", "production", "environment"],
    right: "manage_accounts",
  },
  {
    label: "Add a passkey",
    href: "/settings/sessions",
    icon: Fingerprint,
    keywords: ["new", "password", "sign-in", "security", "webauthn"],
    right: "signed_in",
  },
  {
    label: "Change undo send",
    href: "/settings/preferences",
    icon: Undo2,
    keywords: ["preferences", "delay", "take back", "unsend", "seconds"],
    right: "send_messages",
  },
  {
    label: "Change sign-in rules",
    href: "/settings/security",
    icon: ShieldCheck,
    keywords: ["passkey", "single sign-on", "sso", "oidc", "groups", "security"],
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
    label: "Manage teams",
    href: "/settings/teams",
    icon: Users,
    keywords: ["new", "create", "group", "assign", "department"],
    right: "manage_account",
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
