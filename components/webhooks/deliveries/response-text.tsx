import { ScrollRegion } from "@/components/data/scroll-region";

/** The body of an endpoint's response, always shown as text. */
export function ResponseText({ text }: { text: string | null }) {
  if (text === null || text === "") return <p className="text-muted-foreground text-xs">No body.</p>;
  return (
    <ScrollRegion label="Response body" className="max-h-48 overflow-auto rounded-lg border bg-muted/60">
      <pre className="wrap-anywhere whitespace-pre-wrap p-3 font-mono text-xs leading-5">{text}</pre>
    </ScrollRegion>
  );
}
