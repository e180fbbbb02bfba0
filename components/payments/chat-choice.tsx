"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorNote } from "@/components/data/error-note";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import type { Conversation } from "@/lib/chats/list-conversations";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";

export type ChosenChat = { id: string; name: string };

type ChatChoiceProps = { chosen: ChosenChat | null; onChoose: (chat: ChosenChat) => void };

const SHOWN = 20;

/** One of the account's chats: the latest, or those with a number. */
export function ChatChoice({ chosen, onChoose }: ChatChoiceProps) {
  const [search, setSearch] = useState("");
  const { data, error, isPending } = useQuery<{ conversations: Conversation[] }, ApiFailure>({
    queryKey: ["chat-choice", search],
    queryFn: ({ signal }) => apiFetch(`/api/chats${queryString({ search, limit: SHOWN })}`, { signal }),
    placeholderData: keepPreviousData,
  });
  const chats = (data?.conversations ?? []).map(toChoice);

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Input
        type="search"
        aria-label="Find a chat by number"
        placeholder="Number or address"
        autoComplete="off"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {error && <ErrorNote title="The chats could not be loaded">{error.message}</ErrorNote>}
      <fieldset className="flex max-h-64 min-h-24 flex-col gap-0.5 overflow-y-auto rounded-lg border p-1">
        <legend className="sr-only">Chats</legend>
        {isPending && <Spinner className="m-3" />}
        {data && chats.length === 0 && (
          <p className="p-3 text-muted-foreground text-sm">
            No chat has this number. Chats begin under Chats.
          </p>
        )}
        {chats.map((chat) => (
          <label
            key={chat.id}
            className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm tabular-nums hover:bg-accent has-checked:bg-accent"
          >
            <input
              type="radio"
              name="chat"
              className="accent-primary"
              checked={chosen?.id === chat.id}
              onChange={() => onChoose(chat)}
            />
            {chat.name}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function toChoice({ chat }: Conversation): ChosenChat {
  const others = chat.handles.filter(({ is_me }) => !is_me).map(({ handle }) => handle);
  return { id: chat.id, name: chat.display_name ?? others.join(", ") };
}
