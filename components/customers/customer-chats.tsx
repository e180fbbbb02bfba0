import Link from "next/link";
import { ChatListItem } from "@/components/chats/list/chat-list-item";
import { CustomerCard } from "@/components/customers/customer-card";
import { Grouped } from "@/components/data/grouped";
import { queryString } from "@/lib/client/query-string";
import type { Customer } from "@/lib/runtime/dashboard/get-customer";

type CustomerChatsProps = { chats: Customer["chats"]; hasMore: boolean; handle: string };

/** The chats of a customer, groups included, most recently active first. */
export function CustomerChats({ chats, hasMore, handle }: CustomerChatsProps) {
  return (
    <CustomerCard
      title="Chats"
      empty={chats.length > 0 ? null : "No chats with this person yet. Start one above."}
    >
      <ul className="-mx-4 divide-y border-y">
        {chats.map(({ chat, line, last_message, unread }) => (
          <li key={chat.id}>
            <ChatListItem
              chat={chat}
              href={`/chats/${chat.id}`}
              lastMessage={last_message}
              unread={unread}
              line={line}
            />
          </li>
        ))}
      </ul>
      {chats.length > 0 && (
        <Link
          href={`/chats${queryString({ q: `with:${handle}` })}`}
          className="mr-4 underline underline-offset-4"
        >
          Search messages
        </Link>
      )}
      {hasMore && (
        <Link href={`/chats${queryString({ q: handle })}`} className="underline underline-offset-4">
          All chats with <Grouped>{handle}</Grouped>
        </Link>
      )}
    </CustomerCard>
  );
}
