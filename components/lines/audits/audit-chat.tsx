import Link from "next/link";
import { NamedHandle } from "@/components/customers/handle-link";

type AuditChatProps = {
  chatId: string;
  /** undefined for a chat that was deleted since the audit. */
  chat: { handle: string | null; group_name: string | null } | undefined;
  /** Whether it links to the chat. Rows of a table are links already. */
  isLink?: boolean;
};

/** A chat of an audit as people know it: the recipient's name and handle, or the name of the group. */
export function AuditChat({ chatId, chat, isLink = false }: AuditChatProps) {
  if (chat === undefined) return <span className="text-muted-foreground">Deleted chat</span>;
  const label =
    chat.handle === null ? (chat.group_name ?? "Group chat") : <NamedHandle handle={chat.handle} />;
  if (!isLink) return <>{label}</>;
  return (
    <Link href={`/chats/${chatId}`} className="underline underline-offset-4">
      {label}
    </Link>
  );
}
