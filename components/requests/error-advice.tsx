import { Lightbulb } from "lucide-react";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";

type ErrorAdviceProps = { code: number; title: string; means: string; fix: string; docUrl: string };

/** The meaning of an error code and how to fix it. */
export function ErrorAdvice({ code, title, means, fix, docUrl }: ErrorAdviceProps) {
  return (
    <Alert>
      <Lightbulb aria-hidden="true" />
      <AlertTitle>
        {code}: {title}
      </AlertTitle>
      <AlertDescription className="max-w-3xl">
        <p>{means}</p>
        <p className="text-foreground">{fix}</p>
        <a href={docUrl} target="_blank" rel="noreferrer" className="w-fit underline underline-offset-4">
          Documentation for {code}
        </a>
      </AlertDescription>
    </Alert>
  );
}
