"use client";

import { BarChart3, CircleCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { nameOf, useOpenPhone } from "@/components/phones/phone-context";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { MAX_OPTION_LENGTH, MAX_OPTIONS } from "@/lib/messaging/polls/poll-limits";
import type { PhoneChat, PhoneMessage } from "@/lib/simulator/phones/phone-views";

type Poll = NonNullable<PhoneMessage["poll"]>;

type PhonePollProps = { chat: PhoneChat; messageId: string; poll: Poll };

/** A poll on a phone. Pressing an option adds or removes the vote of the phone's user. */
export function PhonePoll({ chat, messageId, poll }: PhonePollProps) {
  const { mayAct } = useOpenPhone();
  return (
    <section
      aria-label="Poll"
      className="w-60 max-w-full rounded-2xl border bg-card p-3 text-card-foreground text-sm shadow-xs"
    >
      <p className="flex items-center gap-2 pb-2 text-muted-foreground text-xs">
        <BarChart3 className="size-4" aria-hidden="true" />
        Poll
      </p>
      <ul className="flex flex-col gap-2">
        {poll.options.map((option) => (
          <li key={option.option_id}>
            <Option chat={chat} messageId={messageId} option={option} ofVoters={poll.total_voters} />
          </li>
        ))}
      </ul>
      {mayAct && poll.options.length < MAX_OPTIONS && <NewOption messageId={messageId} />}
    </section>
  );
}

type OptionProps = { chat: PhoneChat; messageId: string; option: Poll["options"][number]; ofVoters: number };

function Option({ chat, messageId, option, ofVoters }: OptionProps) {
  const { phone, mayAct, requests, run } = useOpenPhone();
  const isMine = option.voters.some(({ handle }) => handle === phone.handle);
  const share = ofVoters === 0 ? 0 : Math.round((option.voters.length / ofVoters) * 100);
  const vote = () =>
    void run(
      requests.vote({
        message_id: messageId,
        option_id: option.option_id,
        operation: isMine ? "remove" : "add",
      }),
    );
  return (
    <button
      type="button"
      aria-pressed={isMine}
      disabled={!mayAct}
      onClick={vote}
      className="w-full rounded-md text-left hover:bg-accent"
    >
      <span className="flex items-center justify-between gap-2">
        <span className="flex min-w-0 items-center gap-1.5">
          {isMine && <CircleCheck className="size-4 shrink-0" aria-label="Your vote" />}
          <span className="wrap-anywhere">{option.text}</span>
        </span>
        <span className="text-muted-foreground text-xs tabular-nums">{option.voters.length}</span>
      </span>
      <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded-full bg-muted">
        <span
          className="block h-full rounded-full bg-bubble-imessage transition-[width]"
          style={{ width: `${share}%` }}
        />
      </span>
      {option.voters.length > 0 && (
        <span className="block pt-0.5 text-muted-foreground text-xs">
          {option.voters.map(({ handle }) => nameOf(chat, handle)).join(", ")}
        </span>
      )}
    </button>
  );
}

function NewOption({ messageId }: { messageId: string }) {
  const { requests, run } = useOpenPhone();
  const [text, setText] = useState("");

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() !== "" && (await run(requests.addOption(messageId, text.trim()))) !== null) setText("");
  }

  return (
    <form onSubmit={add} className="flex gap-1.5 pt-3">
      <Input
        aria-label="New option"
        placeholder="Add option"
        value={text}
        maxLength={MAX_OPTION_LENGTH}
        autoComplete="off"
        className="h-7.5 text-sm"
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" variant="outline" size="sm" disabled={text.trim() === ""}>
        Add
      </Button>
    </form>
  );
}
