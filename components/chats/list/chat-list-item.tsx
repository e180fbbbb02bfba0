import { AlarmClock, Check, CheckCheck, User, Users } from "lucide-react";
import Link from "next/link";
import type { MouseEvent } from "react";
import { NamedHandle } from "@/components/customers/handle-link";
import { Grouped } from "@/components/data/grouped";
import { LinkMark } from "@/components/data/link-mark";
import { type Service, StatusBadge, type StatusOf, statusStyles } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { LineName, useLineLabel } from "@/components/lines/line-name";
import { initials } from "@/components/shell/initials";
import { cn } from "@/lib/cn";

const MAX_UNREAD = 100;
/** The names of the line and the team beside the preview are cut off first. */
const PREVIEW = "min-w-20 flex-1 truncate text-[0.8125rem] text-muted-foreground";

/** The fields of an API Chat that a list entry shows. */
export type ListedChat = {
  id: string;
  display_name: string | null;
  is_group: boolean;
  handles: { handle: string; is_me?: boolean | null }[];
  service?: Service | null;
  health_status: { status: StatusOf<"health"> };
  updated_at: string;
};

type ChatPreview = {
  text: string;
  is_from_me: boolean;
  delivery_status: StatusOf<"delivery">;
  created_at: string;
};

type ChatListItemProps = {
  chat: ListedChat;
  href: string;
  active?: boolean;
  lastMessage?: ChatPreview | null;
  /** Capped at 100, which is shown as 99+. */
  unread?: number;
  /** The line, where chats of one customer are listed. */
  line?: string | null;
  /** Shown before the health. */
  mark?: StatusOf<"messaging"> | null;
  /** The name of the person that the chat is assigned to. */
  assignee?: string | undefined;
  /** The name of the team that the chat is assigned to. */
  team?: string | undefined;
  state?: "open" | "snoozed" | "closed" | null;
  /** Whether it is one of the chats that the next action changes. */
  selected?: boolean;
  onClick?: (event: MouseEvent) => void;
  /** The chat's line, where chats of several lines are listed. */
  ownLine?: string | undefined;
};

const marks: Record<Service, string> = {
  iMessage: "bg-service-imessage/12 text-service-imessage",
  RCS: "bg-service-rcs/12 text-service-rcs",
  SMS: "bg-service-sms/12 text-service-sms",
};

/** The chat's display name, or the handles of its members other than the line. */
export function chatTitle(chat: Pick<ListedChat, "display_name" | "handles">): string {
  const others = chat.handles.filter(({ is_me }) => !is_me).map(({ handle }) => handle);
  return chat.display_name ?? (others.join(", ") || "No other members");
}

/** The only recipient of a direct chat; null in groups. */
export function recipientOf(chat: Pick<ListedChat, "is_group" | "handles">): string | null {
  if (chat.is_group) return null;
  return chat.handles.find(({ is_me }) => is_me !== true)?.handle ?? null;
}

/** The title of a chat, with the name of its only recipient. */
function ChatTitle({ chat }: { chat: ListedChat }) {
  const recipient = recipientOf(chat);
  return recipient === null ? <Grouped>{chatTitle(chat)}</Grouped> : <NamedHandle handle={recipient} />;
}

/** A chat in the list: title, service, last message and time. */
export function ChatListItem({
  chat,
  href,
  active = false,
  lastMessage,
  unread = 0,
  line,
  mark = null,
  assignee,
  team,
  state = null,
  selected = false,
  onClick,
  ownLine,
}: ChatListItemProps) {
  const Icon = selected ? Check : chat.is_group ? Users : User;
  const health = chat.health_status.status;
  return (
    <Link
      href={href}
      onClick={onClick}
      data-row
      data-chat={chat.id}
      aria-current={active ? "true" : undefined}
      className={cn(
        "relative flex items-start gap-3 px-4 py-2 transition-colors hover:bg-muted/70 focus-visible:-outline-offset-2",
        "before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-r-full",
        active && "bg-accent before:bg-brand hover:bg-accent",
        selected && "bg-accent hover:bg-accent",
      )}
    >
      <span
        className={cn(
          "mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full",
          chat.service ? marks[chat.service] : "bg-secondary text-muted-foreground",
          selected && "bg-primary text-primary-foreground",
        )}
      >
        {selected && <span className="sr-only">Selected</span>}
        <Icon className="size-4" aria-hidden="true" />
        <span className="sr-only">{chat.service ?? "No service yet"}</span>
      </span>
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex items-baseline justify-between gap-3">
          <span className="truncate font-medium tabular-nums">
            <ChatTitle chat={chat} />
          </span>
          <Timestamp
            value={lastMessage?.created_at ?? chat.updated_at}
            interactive={false}
            className="shrink-0 text-muted-foreground text-xs"
          />
        </span>
        <span className="flex items-center justify-between gap-3">
          <Preview lastMessage={lastMessage} />
          <span className="flex min-w-0 items-center gap-1.5 text-muted-foreground text-xs">
            {ownLine !== undefined && <OwnLine line={ownLine} />}
            {team && (
              <span title={`Team ${team}`} className="min-w-0 max-w-16 truncate">
                <span className="sr-only">Team </span>
                <bdi>{team}</bdi>
              </span>
            )}
            {assignee !== undefined && <Assignee name={assignee} />}
            <State state={state} />
            {unread > 0 && <Unread count={unread} />}
          </span>
        </span>
        {line && (
          <span className="truncate text-muted-foreground text-xs">
            on <LineName number={line} />
          </span>
        )}
        {(mark !== null || health !== "HEALTHY") && (
          <span className="mt-1 flex flex-wrap gap-1.5">
            {mark !== null && <StatusBadge kind="messaging" value={mark} />}
            {health !== "HEALTHY" && !(health === "OPTED_OUT" && mark === "opted_out") && (
              <StatusBadge kind="health" value={health} />
            )}
          </span>
        )}
      </span>
      <LinkMark />
    </Link>
  );
}

/** The label of a line, or its last digits, which tell the lines of an account apart. */
function OwnLine({ line }: { line: string }) {
  const label = useLineLabel(line);
  return (
    <span className="min-w-0 tabular-nums" title={`On ${line}`}>
      <bdi aria-hidden="true" className="block max-w-24 truncate">
        {label ?? `…${line.slice(-4)}`}
      </bdi>
      <span className="sr-only">On {line}</span>
    </span>
  );
}

function Assignee({ name }: { name: string }) {
  return (
    <span
      title={`Assigned to ${name}`}
      className="flex size-5 shrink-0 items-center justify-center rounded-full bg-secondary font-medium text-[0.625rem]"
    >
      <span aria-hidden="true">{initials(name)}</span>
      <span className="sr-only">Assigned to {name}</span>
    </span>
  );
}

function State({ state }: Pick<ChatListItemProps, "state">) {
  if (state !== "snoozed" && state !== "closed") return null;
  const Icon = state === "snoozed" ? AlarmClock : CheckCheck;
  return (
    <span className="shrink-0">
      <Icon className="size-3.5" aria-hidden="true" />
      <span className="sr-only">{state === "snoozed" ? "Snoozed" : "Closed"}</span>
    </span>
  );
}

function Unread({ count }: { count: number }) {
  return (
    <span className="shrink-0 rounded-full border border-brand-text/50 px-1.5 font-medium text-brand-text text-xs tabular-nums">
      {count < MAX_UNREAD ? count : "99+"}
      <span className="sr-only"> unread</span>
    </span>
  );
}

function Preview({ lastMessage }: Pick<ChatListItemProps, "lastMessage">) {
  if (!lastMessage) return <span className={PREVIEW}>No messages yet</span>;
  const failed = lastMessage.delivery_status === "failed";
  const { icon: Icon, label } = statusStyles.delivery[lastMessage.delivery_status];
  return (
    <span className={cn(PREVIEW, "flex items-center gap-1.5")}>
      {lastMessage.is_from_me && (
        <>
          <Icon className={cn("size-3.5 shrink-0", failed && "text-destructive-text")} aria-hidden="true" />
          <span className="sr-only">{label}, you wrote:</span>
        </>
      )}
      <span className="truncate">{lastMessage.text}</span>
    </span>
  );
}
