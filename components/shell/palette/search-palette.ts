import {
  Ban,
  BookOpen,
  Bot,
  ClipboardList,
  Gauge,
  KeyRound,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  Paperclip,
  Phone,
  Radio,
  Receipt,
  RotateCcw,
  Send,
  SquareTerminal,
  User,
  UserRound,
  Waypoints,
  Webhook,
} from "lucide-react";
import { searchDocs } from "@/components/docs/search-docs";
import { FLAG_WORDS } from "@/components/lines/flag-words";
import type { PaletteCommand } from "@/components/shell/palette/palette-command";
import { apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { Finding } from "@/lib/runtime/dashboard/finding";

const DOCS_SHOWN = 5;

type SearchOptions = { signal: AbortSignal; open: (href: string) => void };
type ObjectSearchOptions = SearchOptions & { mayFlagLines: boolean };

const TYPES = {
  agent_payment: { name: "Agent payment", icon: Bot },
  attachment: { name: "Attachment", icon: Paperclip },
  audit: { name: "Reputation audit", icon: Gauge },
  chat: { name: "Chat", icon: MessagesSquare },
  customer: { name: "Customer", icon: User },
  delivery: { name: "Delivery", icon: Send },
  event: { name: "Event", icon: Radio },
  line: { name: "Line", icon: Phone },
  member: { name: "Team member", icon: UserRound },
  message: { name: "Message", icon: MessageSquare },
  near_miss: { name: "Near miss", icon: ClipboardList },
  opt_out: { name: "Opt-out", icon: Ban },
  payment_request: { name: "Payment request", icon: Receipt },
  replay: { name: "Replay", icon: RotateCcw },
  request: { name: "Request", icon: SquareTerminal },
  subscription: { name: "Webhook endpoint", icon: Webhook },
  token: { name: "API token", icon: KeyRound },
  trace: { name: "Trace", icon: Waypoints },
} satisfies Record<Finding["type"], { name: string; icon: LucideIcon }>;

/** "flag +1 555": the verb, then a part of a line's number. */
const FLAG = /^(?:(?:un|clear )?flag)\s+(?:line\s+)?/i;

/** Searches the objects of the account on the server. Users who may flag lines also get the command to do so. */
export async function searchObjects(
  text: string,
  { signal, open, mayFlagLines }: ObjectSearchOptions,
): Promise<PaletteCommand[]> {
  const path = `/api/find${queryString({ q: text.replace(FLAG, "") })}`;
  const { findings } = await apiFetch<{ findings: Finding[] }>(path, { signal });
  const flags = mayFlagLines ? findings.filter(({ type }) => type === "line") : [];
  const found = FLAG.test(text) ? [] : findings;
  return [
    ...found.map(({ type, id, title, detail, path: href }) => {
      const { name, icon } = TYPES[type];
      const about = title === name ? detail : [name, detail].filter(Boolean).join(" · ");
      return {
        id: `${type} ${id}`,
        label: title,
        icon,
        hint: about ?? undefined,
        href,
        run: () => open(href),
      };
    }),
    ...flags.map(({ id, title, detail, path: href }) => {
      const { action, icon } = FLAG_WORDS[detail === "FLAGGED" ? "ACTIVE" : "FLAGGED"];
      const run = () => open(`${href}${queryString({ dialog: "flag" })}`);
      return { id: `flag ${id}`, label: `${action} ${title}…`, icon, run };
    }),
  ];
}

/** Searches the documentation in the browser. */
export async function searchPages(text: string, { open }: SearchOptions): Promise<PaletteCommand[]> {
  const pages = await searchDocs(text);
  return pages.slice(0, DOCS_SHOWN).map(({ href, title, heading, group }) => ({
    id: href,
    label: heading === "" ? title : `${title}: ${heading}`,
    icon: BookOpen,
    hint: group,
    href,
    run: () => open(href),
  }));
}
