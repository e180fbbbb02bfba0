import { useId } from "react";
import { BodyView } from "@/components/requests/body-view";
import type { LoggedRequestDetails } from "@/lib/request-log/api-request";

type RequestSideProps = {
  title: "Request" | "Response";
  side: LoggedRequestDetails["request"];
  /** The reader's role must not see the body. */
  hidden: boolean;
  /** Headers that are kept elsewhere, before the others. */
  headers?: Record<string, string>;
};

/** One side of a request: the headers that are kept and the body. */
export function RequestSide({ title, side, hidden, headers = {} }: RequestSideProps) {
  const id = useId();
  const kept = Object.entries({ ...headers, ...side.headers });
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <h2 id={id} className="font-medium text-sm">
        {title}
      </h2>
      {kept.length > 0 && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-lg border bg-card px-3.5 py-3 font-mono text-xs leading-5">
          {kept.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {hidden ? (
        <p className="text-muted-foreground text-sm">Your role can't see this body.</p>
      ) : (
        <BodyView label={`${title.toLowerCase()} body`} body={side.body} sizeBytes={side.size_bytes} />
      )}
    </section>
  );
}
