"use client";

import { CircleQuestionMark } from "lucide-react";
import { useHintDecision } from "@/components/opt-outs/use-hint-decision";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { OptOutHint } from "@/lib/recipients/opt-outs/list-hints";

/** Asks whether a message such as “please stop” is an opt-out, with both decisions. */
export function NearMissBanner({ hint, mayDecide }: { hint: OptOutHint; mayDecide: boolean }) {
  const decide = useHintDecision();
  return (
    <Alert variant="warning" role="status">
      <CircleQuestionMark aria-hidden="true" />
      <AlertTitle className="wrap-anywhere">
        {hint.text === "" ? `A message with “${hint.word}”` : `“${hint.text}”`} may be an opt-out
      </AlertTitle>
      <AlertDescription className="text-foreground">
        <p>Opt the recipient out if they ask you to stop. Otherwise dismiss this note.</p>
        {mayDecide ? (
          <div className="flex flex-wrap gap-2 pt-1">
            <Button
              size="sm"
              disabled={decide.isPending}
              onClick={() => decide.mutate({ hint, decision: "opted_out" })}
            >
              Opt out
            </Button>
            <Button
              size="sm"
              variant="outline"
              disabled={decide.isPending}
              onClick={() => decide.mutate({ hint, decision: "dismissed" })}
            >
              Dismiss
            </Button>
          </div>
        ) : (
          <p className="text-muted-foreground text-xs">Your role can't decide. Ask a colleague in support.</p>
        )}
        {decide.error && <p role="alert">{decide.error.message}</p>}
      </AlertDescription>
    </Alert>
  );
}
