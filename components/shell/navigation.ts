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
      },
    ],
  },
  {
    label: "Inbox",
    pages: [
      { label: "Chats", href: "/chats", icon: MessagesSquare },
      {
        label: "Scheduled",
        href: "/scheduled-messages",
        icon: AlarmClock,
      },
      {
        label: "Attachments",
        href: "/attachments",
        icon: Paperclip,
      },
      {
        label: "Chat health",
        href: "/chat-health",
        icon: HeartPulse,
      },
      {
        label: "Opt-outs",
        href: "/opt-outs",
        icon: Ban,
      },
      { label: "Blocked", href: "/blocked-handles", icon: ShieldBan },
    ],
  },
  {
    label: "Lines",
    pages: [
      {
        label: "Lines",
        href: "/lines",
        icon: Phone,
      },
      {
        label: "Contact cards",
        href: "/contact-cards",
        icon: ContactRound,
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
      },
      {
        label: "Agent payments",
        href: "/agent-payments",
        icon: Bot,
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
        sandboxOnly: true,
      },
      {
        label: "Experiences",
        href: "/experiences",
        icon: GalleryVerticalEnd,
      },
      { label: "Events", href: "/events", icon: Radio },
      {
        label: "Requests",
        href: "/requests",
        icon: SquareTerminal,
      },
      {
        label: "Webhooks",
        href: "/webhooks",
        icon: Webhook,
      },
      {
        label: "API tokens",
        href: "/tokens",
        icon: KeyRound,
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
      },
      {
        label: "Instance",
        href: "/instance",
        icon: Server,
        right: "view_instance",
      },
      {
        label: "Settings",
        href: "/settings",
        icon: Settings,
        isPinned: true,
      },
    ],
  },
];

/** The first pages of a support agent on a phone, the most urgent first. */
const SUPPORT_FIRST: NavigationPage[] = [
  { label: "Chats", href: "/chats", icon: MessagesSquare },
  { label: "Possible opt-outs", href: "/opt-outs/near-misses", icon: CircleQuestionMark },
  { label: "Unread", href: "/chats?view=unread", icon: Mail },
  { label: "At risk", href: "/chats?view=at_risk", icon: HeartPulse },
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
