import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { ComposerHint } from "@/components/composer/composer-hint";
import type { SendPlan } from "@/components/composer/describe-plan";
import type { Draft } from "@/components/composer/draft";
import { untilLoaded } from "@/components/data/until-loaded";
import { cn } from "@/lib/cn";

const PlanNotes = dynamic(
  () => untilLoaded(async () => (await import("@/components/composer/plan-notes")).PlanNotes),
  {
    loading: () => <ComposerHint />,
  },
);

const COUNT_FROM = 9000;
export const MAX_TEXT = 10_000;

type ComposerNoteProps = {
  id: string;
  closed: ReactNode;
  /** Why the message can't be sent yet. */
  waitsFor: string | null;
  plan: SendPlan | undefined;
  draft: Draft;
};

/** The line below the composer: why the message can't be sent, the result of its dry run, and its length. */
export function ComposerNote({ id, closed, waitsFor, plan, draft }: ComposerNoteProps) {
  const { length } = draft.text;
  return (
    <div id={id} className="flex justify-between gap-4 px-1 text-muted-foreground text-xs">
      <div className="min-w-0">
        <Words closed={closed} waitsFor={waitsFor} plan={plan} draft={draft} />
      </div>
      {length >= COUNT_FROM && (
        <p className={cn("shrink-0 tabular-nums", length > MAX_TEXT && "font-medium text-destructive-text")}>
          {length.toLocaleString("en-US")} / {MAX_TEXT.toLocaleString("en-US")}
        </p>
      )}
    </div>
  );
}

function Words({ closed, waitsFor, plan, draft }: Omit<ComposerNoteProps, "id">) {
  if (closed) return closed;
  if (waitsFor !== null) return <p role="status">{waitsFor}</p>;
  return plan === undefined ? <ComposerHint /> : <PlanNotes plan={plan} transport={draft.transport} />;
}
