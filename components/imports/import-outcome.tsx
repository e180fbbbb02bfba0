import { CircleCheck } from "lucide-react";
import type { Outcome } from "@/components/imports/use-import";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";

type ImportOutcomeProps = { outcome: Outcome; noun: { one: string; many: string } };

/** The number of rows that an import stored, and of those that it left out. */
export function ImportOutcome({ outcome: { added, listed, refused }, noun }: ImportOutcomeProps) {
  const left = [
    listed > 0 && `${listed.toLocaleString("en-US")} already listed or duplicates`,
    refused > 0 && `${refused.toLocaleString("en-US")} invalid`,
  ].filter(Boolean);
  return (
    <Alert variant="success" role="status">
      <CircleCheck aria-hidden="true" />
      <AlertTitle>
        {added.toLocaleString("en-US")} {added === 1 ? noun.one : noun.many} imported
      </AlertTitle>
      <AlertDescription>
        {left.length === 0 ? "Every row of the file was imported." : `Left out: ${left.join(", ")}.`}
      </AlertDescription>
    </Alert>
  );
}
