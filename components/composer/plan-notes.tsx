import { ComposerHint } from "@/components/composer/composer-hint";
import { describePlan, type SendPlan } from "@/components/composer/describe-plan";
import type { Draft } from "@/components/composer/draft";
import { cn } from "@/lib/cn";

type PlanNotesProps = { plan: SendPlan; transport: Draft["transport"] };

/** The result of a message's dry run, or the hint while there is nothing to say. */
export function PlanNotes({ plan, transport }: PlanNotesProps) {
  const notes = describePlan(plan, transport);
  if (notes.length === 0) return <ComposerHint />;
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
