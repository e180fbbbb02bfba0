import { CopyButton } from "@/components/data/copy/copy-button";
import { JsonView } from "@/components/data/json-view";
import { ScrollRegion } from "@/components/data/scroll-region";

type BodyViewProps = {
  /** For example "request body". */
  label: string;
  body: string | null;
  /** The size of the complete body. */
  sizeBytes: number;
};

/** The stored part of a body: indented JSON if complete, otherwise the raw text. */
export function BodyView({ label, body, sizeBytes }: BodyViewProps) {
  if (body === null) {
    return (
      <p className="rounded-lg border border-dashed px-3.5 py-3 text-muted-foreground">
        {sizeBytes === 0 ? "No body." : "This body was deleted together with its message."}
      </p>
    );
  }
  const value = parsed(body);
  const isCut = sizeBytes > new TextEncoder().encode(body).length && value === undefined;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {value === undefined ? (
        <RawBody text={body} label={label} />
      ) : (
        <JsonView value={value} label={label} className="max-h-136" />
      )}
      {isCut && (
        <p className="text-muted-foreground text-xs">
          Truncated: the first 8 KB of {Math.ceil(sizeBytes / 1024)} KB are stored.
        </p>
      )}
    </div>
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function RawBody({ text, label }: { text: string; label: string }) {
  return (
    <div className="relative min-h-0 min-w-0 rounded-lg border bg-muted/60">
      <CopyButton
        value={text}
        label={label}
        variant="outline"
        className="absolute top-2 right-2 z-10 bg-card/90"
      />
      <ScrollRegion label={label} className="max-h-136 overflow-auto rounded-[inherit]">
        <pre className="wrap-anywhere whitespace-pre-wrap p-3.5 pr-12 font-mono text-xs leading-5">
          {text}
        </pre>
      </ScrollRegion>
    </div>
  );
}
