"use client";

import { ChevronLeft, LogOut, UserMinus } from "lucide-react";
import type { FormEvent } from "react";
import { useDraft } from "@/components/data/fields/use-draft";
import { nameOf, titleOf, useOpenPhone } from "@/components/phones/phone-context";
import { PhoneAvatar } from "@/components/phones/screen/avatar";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { PhoneChat } from "@/lib/simulator/phones/phone-views";

/** The details of a group on a phone: its name and its members. */
export function PhoneGroup({ chat }: { chat: PhoneChat }) {
  const { phone, others, mayAct, requests, run, go } = useOpenPhone();
  const chatId = chat.chat_id;
  const isMember = mayAct && chat.is_open && chatId !== null;
  const toAdd = others.filter(({ handle }) => !chat.members.some((member) => member.handle === handle));
  const back = () => go({ type: "chat", key: chat.key, chatId });

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2 border-b px-1.5 pb-2">
        <Button variant="ghost" size="icon-sm" aria-label="Back to messages" onClick={back}>
          <ChevronLeft />
        </Button>
        <h3 className="font-medium">Group details</h3>
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-3 py-3">
        {chat.icon_url !== null && (
          <PhoneAvatar
            name={titleOf(chat, phone.handle)}
            iconUrl={chat.icon_url}
            className="mx-auto size-16"
          />
        )}
        {isMember && <NameForm chat={chat} chatId={chatId} />}
        <ul aria-label="Members" className="flex flex-col gap-1">
          {chat.members.map(({ handle, is_line }) => (
            <li key={handle} className="flex items-center gap-2">
              <PhoneAvatar name={nameOf(chat, handle)} className="size-8" />
              <span className="min-w-0 flex-1 truncate text-sm">
                {handle === phone.handle ? `${phone.name} (you)` : nameOf(chat, handle)}
              </span>
              {isMember && !is_line && handle !== phone.handle && (
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={`Remove ${nameOf(chat, handle)}`}
                  onClick={() => void run(requests.removeMember(chatId, handle))}
                >
                  <UserMinus />
                </Button>
              )}
            </li>
          ))}
        </ul>
        {isMember && toAdd.length > 0 && (
          <label className="flex flex-col gap-1 text-sm">
            Add a phone
            <select
              value=""
              className="h-8.5 rounded-md border border-input bg-background px-2"
              onChange={({ target }) => void run(requests.addMember(chatId, target.value))}
            >
              <option value="">Choose…</option>
              {toAdd.map(({ handle, name }) => (
                <option key={handle} value={handle}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {isMember && (
          <Button variant="outline" size="sm" onClick={() => void run(requests.leave(chatId)).then(back)}>
            <LogOut />
            Leave group
          </Button>
        )}
      </div>
    </div>
  );
}

function NameForm({ chat, chatId }: { chat: PhoneChat; chatId: string }) {
  const { requests, run } = useOpenPhone();
  const saved = chat.name ?? "";
  const { text: name, change: setName, wasSaved } = useDraft(saved);

  function rename(event: FormEvent): void {
    event.preventDefault();
    void run(requests.rename(chatId, name.trim() === "" ? null : name.trim())).then(
      (answer) => answer !== null && wasSaved(name),
    );
  }

  return (
    <form onSubmit={rename} className="flex gap-1.5">
      <Input
        aria-label="Group name"
        placeholder="Group name"
        value={name}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" variant="outline" size="sm" className="h-auto" disabled={name.trim() === saved}>
        Rename
      </Button>
    </form>
  );
}
