"use client";

import { BarChart3, CircleCheck } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useMessageAction, useThread } from "@/components/chats/timeline/thread";
import { Grouped } from "@/components/data/grouped";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { cn } from "@/lib/cn";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import { MAX_OPTION_LENGTH, MAX_OPTIONS } from "@/lib/messaging/polls/poll-limits";

type Poll = NonNullable<MessageView["poll"]>;
type PollOption = Poll["options"][number];

type PollCardProps = {
  messageId: string;
  poll: Poll;
  /** Whether the line can vote and add options. */
  votable: boolean;
};

/** A poll: options, vote counts and voters. Pressing an option adds or removes the line's vote. */
export function PollCard({ messageId, poll, votable }: PollCardProps) {
  const { mayAct, line } = useThread();
  const act = useMessageAction(messageId);
  const isActive = votable && mayAct;

  function vote({ option_id, voters }: PollOption): void {
    const operation = voters.some(({ handle }) => handle === line) ? "remove" : "add";
    void act({ method: "POST", path: "/votes", body: { operation, option_id } });
  }

  return (
    <section
      aria-label="Poll"
      className="wrap-anywhere w-80 max-w-full whitespace-normal rounded-lg border bg-card p-3 text-card-foreground"
    >
      <p className="flex items-center gap-2 pb-2 text-muted-foreground text-xs">
        <BarChart3 className="size-4 shrink-0" aria-hidden="true" />
        <span className="flex-1 font-medium">Poll</span>
        <span className="tabular-nums">{people(poll.total_voters)}</span>
      </p>
      <ul className="flex flex-col gap-2.5">
        {poll.options.map((option) => (
          <Option
            key={option.option_id}
            option={option}
            ofVoters={poll.total_voters}
            isOurs={option.voters.some(({ handle }) => handle === line)}
            onVote={isActive ? () => vote(option) : null}
          />
        ))}
      </ul>
      {isActive && poll.options.length < MAX_OPTIONS && <NewOption messageId={messageId} />}
    </section>
  );
}

type OptionProps = { option: PollOption; ofVoters: number; isOurs: boolean; onVote: (() => void) | null };

function Option({ option, ofVoters, isOurs, onVote }: OptionProps) {
  const votes = option.voters.length;
  const share = ofVoters === 0 ? 0 : Math.round((votes / ofVoters) * 100);
  return (
    <li>
      <Pressable option={option} isOurs={isOurs} onVote={onVote}>
        <span className="flex min-w-0 items-center gap-1.5">
          {isOurs && <CircleCheck className="size-4 shrink-0" aria-label="The line's vote" />}
          {option.text}
        </span>
        <span className="shrink-0 text-muted-foreground text-xs tabular-nums">{voteCount(votes)}</span>
      </Pressable>
      <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-muted">
        <div className="h-full rounded-full bg-brand" style={{ width: `${share}%` }} />
      </div>
      {votes > 0 && (
        <p className="pt-1 text-muted-foreground text-xs tabular-nums">
          <Grouped>{option.voters.map(({ handle }) => handle).join(", ")}</Grouped>
        </p>
      )}
    </li>
  );
}

type PressableProps = Omit<OptionProps, "ofVoters"> & { children: ReactNode };

function Pressable({ option, isOurs, onVote, children }: PressableProps) {
  const row = "flex w-full items-center justify-between gap-3 text-left";
  if (onVote === null) return <p className={row}>{children}</p>;
  return (
    <button
      type="button"
      aria-pressed={isOurs}
      title={isOurs ? `Remove the line's vote for ${option.text}` : `Vote for ${option.text}`}
      onClick={onVote}
      className={cn(row, "-mx-1.5 w-[calc(100%+0.75rem)] rounded-md px-1.5 py-1 hover:bg-accent")}
    >
      {children}
    </button>
  );
}

function NewOption({ messageId }: { messageId: string }) {
  const [text, setText] = useState("");
  const act = useMessageAction(messageId);

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const options = [{ text: text.trim() }];
    if (text.trim() !== "" && (await act({ method: "POST", path: "/poll-options", body: { options } }))) {
      setText("");
    }
  }

  return (
    <form onSubmit={add} className="flex gap-1.5 pt-3">
      <Input
        aria-label="New option"
        placeholder="Add option"
        value={text}
        maxLength={MAX_OPTION_LENGTH}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" variant="outline" size="sm" className="h-auto" disabled={text.trim() === ""}>
        Add
      </Button>
    </form>
  );
}

function people(count: number): string {
  if (count === 0) return "No votes yet";
  return count === 1 ? "1 person voted" : `${count} people voted`;
}

function voteCount(count: number): string {
  return count === 1 ? "1 vote" : `${count} votes`;
}
