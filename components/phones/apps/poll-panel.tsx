"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { MAX_OPTION_LENGTH, MAX_OPTIONS, MIN_OPTIONS } from "@/lib/messaging/polls/poll-limits";

/** Sends a poll. A new field appears when the last one is filled in. */
export function PollPanel({ onSend }: { onSend: (content: object) => Promise<void> }) {
  const [texts, setTexts] = useState(["", ""]);
  const options = texts.map((text) => text.trim()).filter((text) => text !== "");

  function change(at: number, text: string): void {
    const next = texts.with(at, text);
    if (next.at(-1) !== "" && next.length < MAX_OPTIONS) next.push("");
    setTexts(next);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (options.length < MIN_OPTIONS) return;
    void onSend({ parts: [{ type: "poll", options: options.map((text) => ({ text })) }] });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-1.5">
      {texts.map((text, at) => (
        <Input
          // biome-ignore lint/suspicious/noArrayIndexKey: an option is identified by its place
          key={at}
          aria-label={`Option ${at + 1}`}
          placeholder={`Option ${at + 1}`}
          value={text}
          maxLength={MAX_OPTION_LENGTH}
          autoComplete="off"
          onChange={({ target }) => change(at, target.value)}
        />
      ))}
      <Button type="submit" size="sm" disabled={options.length < MIN_OPTIONS}>
        Send poll
      </Button>
    </form>
  );
}
