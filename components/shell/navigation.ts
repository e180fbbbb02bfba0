import {
  AlarmClock,
  Ban,
  Bell,
  Bot,
  CircleQuestionMark,
  ContactRound,
  GalleryVerticalEnd,
  HeartPulse,
  Home,
  KeyRound,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Paperclip,
  Phone,
  Radio,
  Receipt,
  Server,
  Settings,
  ShieldBan,
  Smartphone,
  SquareTerminal,
  Webhook,
} from "lucide-react";
import type { ShellUser } from "@/components/shell/shell-types";
import type { Right } from "@/lib/platform/rights/right";

export type NavigationPage = {
  label: string;
  href: string;
  icon: LucideIcon;
  /** Additional search terms in the command palette. */
  keywords: string[];
  /** The right that is required to see the page, when not every role has it. */
  right?: Right;
  /** Production accounts don't have the page. */
  sandboxOnly?: true;
  /** Stays in view at the foot of the sidebar. */
  isPinned?: true;
};

export type NavigationGroup = { label: string | null; pages: NavigationPage[] };

/** All pages of the dashboard, in sidebar order. */
const navigation: NavigationGroup[] = [
  {
    label: null,
    pages: [
      {
        label: "Home",
        href: "/",
        icon: Home,
        keywords: ["overview", "activity", "start", "quickstart", "snippets"],
      },
    ],
  },
  {
    label: "Inbox",
    pages: [
      { label: "Chats", href: "/chats", icon: MessagesSquare, keywords: ["messages", "conversations"] },
      {
        label: "Scheduled",
        href: "/scheduled-messages",
        icon: AlarmClock,
        keywords: ["later", "due", "refused"],
      },
      {
        label: "Attachments",
        href: "/attachments",
        icon: Paperclip,
        keywords: ["files", "media", "images", "uploads", "storage", "2003"],
      },
      {
        label: "Chat health",
        href: "/chat-health",
        icon: HeartPulse,
        keywords: ["at risk", "critical", "opted out", "unanswered"],
      },
      {
        label: "Opt-outs",
        href: "/opt-outs",
        icon: Ban,
        keywords: ["stop", "unsubscribe", "consent", "2024"],
      },
      { label: "Blocked", href: "/blocked-handles", icon: ShieldBan, keywords: ["block", "spam", "2026"] },
    ],
  },
  {
    label: "Lines",
    pages: [
      {
        label: "Lines",
        href: "/lines",
        icon: Phone,
        keywords: ["numbers", "reputation", "audit", "forwarding", "flagged"],
      },
      {
        label: "Contact cards",
        href: "/contact-cards",
        icon: ContactRound,
        keywords: ["name", "image", "photo", "vcard"],
      },
    ],
  },
  {
    label: "Payments",
    pages: [
      {
        label: "Payment requests",
        href: "/payments",
        icon: Receipt,
        keywords: ["checkout", "invoices", "subscriptions", "stripe", "branding", "payment settings"],
      },
      {
        label: "Agent payments",
        href: "/agent-payments",
        icon: Bot,
        keywords: ["cards", "agents", "connected customers", "limits", "caps", "passkey"],
      },
    ],
  },
  {
    label: "Developers",
    pages: [
      {
        label: "Phones",
        href: "/phones",
        icon: Smartphone,
        keywords: ["simulator", "simulated", "recipient", "test", "sandbox"],
        sandboxOnly: true,
      },
      {
        label: "Experiences",
        href: "/experiences",
        icon: GalleryVerticalEnd,
        keywords: ["cards", "imessage app", "payment card", "link card", "fallback"],
      },
      { label: "Events", href: "/events", icon: Radio, keywords: ["live log", "stream", "webhooks"] },
      {
        label: "Requests",
        href: "/requests",
        icon: SquareTerminal,
        keywords: ["request log", "calls", "errors", "trace", "curl", "debug"],
      },
      {
        label: "Webhooks",
        href: "/webhooks",
        icon: Webhook,
        keywords: ["endpoints", "deliveries", "replay", "consumers", "poll", "lag", "seek"],
      },
      {
        label: "API tokens",
        href: "/tokens",
        icon: KeyRound,
        keywords: ["keys", "bearer", "secret"],
        right: "view_tokens",
      },
    ],
  },
  {
    label: "Account",
    pages: [
      {
        label: "Notices",
        href: "/notices",
        icon: Bell,
        keywords: ["alerts", "alarms", "warnings", "notifications", "history"],
      },
      {
        label: "Instance",
        href: "/instance",
        icon: Server,
        keywords: [
          "operator",
          "processes",
          "queues",
          "backups",
          "alerts",
          "smtp",
          "email",
          "disk",
          "partitions",
        ],
        right: "view_instance",
      },
      {
        label: "Settings",
        href: "/settings",
        icon: Settings,
        isPinned: true,
        keywords: [
          "options",
          "retention",
          "app clips",
          "limits",
          "v2",
          "history",
          "audit log",
          "audit trail",
          "accounts",
          "environments",
          "go to production",
          "checklist",
          "live",
          "archive",
          "people",
          "roles",
          "password",
          "sessions",
        ],
      },
    ],
  },
];

/** The first pages of a support agent on a phone, the most urgent first. */
const SUPPORT_FIRST: NavigationPage[] = [
  { label: "Chats", href: "/chats", icon: MessagesSquare, keywords: [] },
  { label: "Possible opt-outs", href: "/opt-outs/near-misses", icon: CircleQuestionMark, keywords: [] },
  { label: "Unread", href: "/chats?view=unread", icon: Mail, keywords: [] },
  { label: "At risk", href: "/chats?view=at_risk", icon: HeartPulse, keywords: [] },
];

/** The pages that come first in the menu of a phone, which has no room for all pages; none for most roles. */
export function firstOnPhone(role: ShellUser["role"]): NavigationPage[] {
  return role === "support" ? SUPPORT_FIRST : [];
}

/** The pages of the account's environment that the user has rights to, by group. */
export function navigationFor(
  may: (right: Right) => boolean,
  environment: "sandbox" | "production",
): NavigationGroup[] {
  const isOffered = ({ right, sandboxOnly }: NavigationPage) =>
    (right === undefined || may(right)) && (sandboxOnly !== true || environment === "sandbox");
  return navigation
    .map((group) => ({ ...group, pages: group.pages.filter(isOffered) }))
    .filter(({ pages }) => pages.length > 0);
}

/** Whether the user has the right to see the page at a path, with or without a query. */
export function mayOpen(path: string, may: (right: Right) => boolean): boolean {
  const right = findPage(path.replace(/[?#].*/, ""))?.right;
  return right === undefined || may(right);
}

/** The page at a path, or its nearest parent page. */
export function findPage(pathname: string): NavigationPage | undefined {
  return navigation
    .flatMap((group) => group.pages)
    .find(({ href }) => pathname === href || (href !== "/" && pathname.startsWith(`${href}/`)));
}
