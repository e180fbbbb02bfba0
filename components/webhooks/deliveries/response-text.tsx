import { ScrollRegion } from "@/components/data/scroll-region";

const OUTSIDE_OF_STRINGS = /("(?:\\.|[^"\\])*")|\s+/g;

/** The body of an endpoint's response, always shown as text. JSON is indented. */
export function ResponseText({ text }: { text: string | null }) {
  if (text === null || text === "") return <p className="text-muted-foreground text-xs">No body.</p>;
  return (
    <ScrollRegion label="Response body" className="max-h-48 overflow-auto rounded-lg border bg-muted/60">
      <pre className="wrap-anywhere whitespace-pre-wrap p-3 font-mono text-xs leading-5">
        {indented(text)}
      </pre>
    </ScrollRegion>
  );
}

// JSON that would be written in another way, such as a number with more digits than JavaScript has, stays as it came.
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isSame = JSON.stringify(value) === text.replace(OUTSIDE_OF_STRINGS, "$1");
    return isSame && typeof value === "object" ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
