"use client";

import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import { PhoneComposer } from "@/components/phones/phone-composer";
import { useOpenPhone } from "@/components/phones/phone-context";
import { Button } from "@/components/ui/button";

/** A new conversation: with a line, or with a line and other phones as a group. */
export function NewMessage() {
  const { lines, others, go } = useOpenPhone();
  const [line, setLine] = useState(lines[0]?.phone_number ?? "");
  const [members, setMembers] = useState<readonly string[]>([]);

  const toggle = (handle: string) =>
    setMembers(members.includes(handle) ? members.filter((each) => each !== handle) : [...members, handle]);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2 border-b px-1.5 pb-2">
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="Back to conversations"
          onClick={() => go({ type: "home" })}
        >
          <ChevronLeft />
        </Button>
        <h3 className="font-medium">New message</h3>
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-3 py-3 text-sm">
        <label className="flex flex-col gap-1">
          To line
          <select
            value={line}
            className="h-8.5 rounded-md border border-input bg-background px-2"
            onChange={({ target }) => setLine(target.value)}
          >
            {lines.map(({ phone_number, name }) => (
              <option key={phone_number} value={phone_number}>
                {name === null ? phone_number : `${name} (${phone_number})`}
              </option>
            ))}
          </select>
        </label>
        {others.length > 0 && (
          <fieldset className="flex flex-col gap-1.5">
            <legend className="pb-1">Other members</legend>
            {others.map(({ handle, name }) => (
              <label key={handle} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  checked={members.includes(handle)}
                  className="size-4 accent-bubble-imessage"
                  onChange={() => toggle(handle)}
                />
                {name}
              </label>
            ))}
          </fieldset>
        )}
      </div>
      <PhoneComposer
        key={line}
        to={line}
        chat={null}
        alsoTo={members}
        onSent={(_, chatId) => go(chatId === null ? { type: "home" } : { type: "chat", key: null, chatId })}
      />
    </div>
  );
}
