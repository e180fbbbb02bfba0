import type { ReactNode } from "react";
import { describePlan, type SendPlan } from "@/components/composer/describe-plan";
import type { Draft } from "@/components/composer/draft";
import { SendFailure } from "@/components/composer/send-failure";
import type { ApiFailure } from "@/lib/client/api-fetch";
import { cn } from "@/lib/cn";

const COUNT_FROM = 9000;
export const MAX_TEXT = 10_000;

type ComposerNoteProps = {
  id: string;
  closed: ReactNode;
  failure: ApiFailure | undefined;
  /** Why the message can't be sent yet. */
  waitsFor: string | null;
  plan: SendPlan | undefined;
  draft: Draft;
};

/** The line below the composer: why the message can't be sent, the result of its dry run, and its length. */
export function ComposerNote({ id, closed, failure, waitsFor, plan, draft }: ComposerNoteProps) {
  return (
    <div id={id} className="flex justify-between gap-4 px-1 text-muted-foreground text-xs">
      <div className="min-w-0">
        <Words closed={closed} failure={failure} waitsFor={waitsFor} plan={plan} draft={draft} />
      </div>
      {draft.text.length >= COUNT_FROM && <CharacterCount length={draft.text.length} />}
    </div>
  );
}

function Words({ closed, failure, waitsFor, plan, draft }: Omit<ComposerNoteProps, "id">) {
  if (closed) return closed;
  if (failure) {
    return (
      <div role="alert" className="text-destructive-text">
        <SendFailure failure={failure} />
      </div>
    );
  }
  if (waitsFor !== null) return <p role="status">{waitsFor}</p>;
  const notes = plan === undefined ? [] : describePlan(plan, draft.transport);
  if (notes.length === 0) {
    return <p className="pointer-coarse:hidden">Press Enter to send, Shift+Enter for a new line</p>;
  }
  return (
    <div role="status">
      {notes.map(({ text, isWarning }) => (
        <p key={text} className={cn("wrap-anywhere", isWarning && "text-warning")}>
          {text}
        </p>
      ))}
    </div>
  );
}

function CharacterCount({ length }: { length: number }) {
  const excess = length > MAX_TEXT;
  return (
    <p className={cn("ml-auto shrink-0 tabular-nums", excess && "font-medium text-destructive-text")}>
      {length.toLocaleString("en-US")} / {MAX_TEXT.toLocaleString("en-US")}
      <span role="status" className="sr-only">
        {excess && "The message is too long to send."}
      </span>
    </p>
  );
}
