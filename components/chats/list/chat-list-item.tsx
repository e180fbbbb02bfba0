import { User, Users } from "lucide-react";
import Link from "next/link";
import { NamedHandle } from "@/components/customers/handle-link";
import { type Service, StatusBadge, type StatusOf, statusStyles } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { cn } from "@/lib/cn";

const MAX_UNREAD = 100;

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
  assignee?: string;
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
  return recipient === null ? chatTitle(chat) : <NamedHandle handle={recipient} />;
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
}: ChatListItemProps) {
  const Icon = chat.is_group ? Users : User;
  const health = chat.health_status.status;
  return (
    <Link
      href={href}
      aria-current={active ? "true" : undefined}
      className={cn(
        "relative flex items-start gap-3 px-4 py-3 transition-colors hover:bg-muted/70 focus-visible:-outline-offset-2",
        "before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-r-full",
        active && "bg-accent before:bg-brand hover:bg-accent",
      )}
    >
      <span
        className={cn(
          "mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full",
          chat.service ? marks[chat.service] : "bg-secondary text-muted-foreground",
        )}
      >
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
          {unread > 0 && <Unread count={unread} />}
        </span>
        {line && <span className="truncate text-muted-foreground text-xs tabular-nums">on {line}</span>}
        {assignee !== undefined && (
          <span className="truncate text-muted-foreground text-xs">Assigned to {assignee}</span>
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
    </Link>
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
  if (!lastMessage) return <span className="text-[0.8125rem] text-muted-foreground">No messages yet</span>;
  const failed = lastMessage.delivery_status === "failed";
  const { icon: Icon, label } = statusStyles.delivery[lastMessage.delivery_status];
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-[0.8125rem] text-muted-foreground">
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
