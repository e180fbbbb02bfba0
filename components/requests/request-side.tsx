import { useId } from "react";
import { BodyView } from "@/components/requests/body-view";
import type { LoggedRequestDetails } from "@/lib/request-log/search/api-request";

type RequestSideProps = {
  title: "Request" | "Response";
  side: LoggedRequestDetails["request"];
  /** The user's role may not view the body. */
  hidden: boolean;
  /** Additional headers to show first. */
  headers?: Record<string, string>;
};

/** The stored headers and the body of a request or response. */
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
        <p className="text-muted-foreground text-sm">Your role can't view request and response bodies.</p>
      ) : (
        <BodyView label={`${title.toLowerCase()} body`} body={side.body} sizeBytes={side.size_bytes} />
      )}
    </section>
  );
}
