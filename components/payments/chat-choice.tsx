"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorNote } from "@/components/data/error-note";
import { Grouped } from "@/components/data/grouped";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { Chat } from "@/lib/messaging/chats/chat";
import type { ChatView } from "@/lib/messaging/inbox/list-chat-views";

type ChatChoiceProps = {
  chosen: Chat | null;
  /** Why a chat cannot be chosen, or null. */
  refuse?: (chat: Chat) => string | null;
  onChoose: (chat: Chat) => void;
};

const SHOWN = 20;

/** Selects one of the account's chats: the latest chats, or those that match a number. */
export function ChatChoice({ chosen, refuse = () => null, onChoose }: ChatChoiceProps) {
  const [search, setSearch] = useState("");
  const { data, error, isPending } = useQuery<{ conversations: ChatView[] }, ApiFailure>({
    queryKey: ["chat-choice", search],
    queryFn: ({ signal }) => apiFetch(`/api/chats${queryString({ search, limit: SHOWN })}`, { signal }),
    placeholderData: keepPreviousData,
  });
  const chats = data?.conversations.map(({ chat }) => chat) ?? [];

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Input
        type="search"
        aria-label="Find a chat by phone number or email"
        placeholder="Phone number or email"
        autoComplete="off"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {error && <ErrorNote title="The chats could not be loaded">{error.message}</ErrorNote>}
      <fieldset className="flex max-h-64 min-h-24 flex-col gap-0.5 overflow-y-auto rounded-lg border p-1">
        <legend className="sr-only">Chats</legend>
        {isPending && <Spinner className="m-3" />}
        {data && chats.length === 0 && (
          <p className="p-3 text-muted-foreground text-sm">No chat matches. Start a chat under Chats.</p>
        )}
        {chats.map((chat) => (
          <Choice
            key={chat.id}
            chat={chat}
            refused={refuse(chat)}
            isChosen={chosen?.id === chat.id}
            onChoose={() => onChoose(chat)}
          />
        ))}
      </fieldset>
    </div>
  );
}

type ChoiceProps = { chat: Chat; refused: string | null; isChosen: boolean; onChoose: () => void };

function Choice({ chat, refused, isChosen, onChoose }: ChoiceProps) {
  const note = refused ?? (chat.is_group ? `Group of ${othersOf(chat).length} people` : null);
  return (
    <label className="flex cursor-pointer items-start gap-2.5 rounded-md px-2.5 py-2 text-sm tabular-nums hover:bg-accent has-checked:bg-accent has-disabled:cursor-not-allowed has-disabled:hover:bg-transparent">
      <input
        type="radio"
        name="chat"
        className="mt-1 accent-primary"
        disabled={refused !== null}
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="wrap-anywhere flex min-w-0 flex-col">
        <Grouped>{nameOf(chat)}</Grouped>
        {note !== null && <span className="text-muted-foreground text-xs">{note}</span>}
      </span>
    </label>
  );
}

/** The display name of a chat, or its participants. */
export function nameOf(chat: Chat): string {
  return chat.display_name ?? othersOf(chat).join(", ");
}

function othersOf({ handles }: Chat): string[] {
  return handles.filter(({ is_me }) => !is_me).map(({ handle }) => handle);
}
