"use client";

import { useEffect, useState } from "react";
import { GuideCode, guideLink } from "@/components/docs/guide-parts";
import { fetchSignedIn } from "@/lib/client/fetch-signed-in";
import type { LoggedRequest } from "@/lib/request-log/search/api-request";

const SHOWN = 5;

/** The account's last requests that failed with an error code, for signed-in readers. Empty for others. */
export function ErrorOccurrences({ code }: { code: number }) {
  const [requests, setRequests] = useState<LoggedRequest[] | null>(null);

  useEffect(() => {
    const stopped = new AbortController();
    fetchSignedIn<{ requests: LoggedRequest[] }>(
      `/api/requests?error_code=${code}&limit=${SHOWN}`,
      stopped.signal,
    ).then(
      (page) => setRequests(page?.requests ?? null),
      // The page is complete without this section.
      () => undefined,
    );
    return () => stopped.abort();
  }, [code]);

  if (requests === null) return null;
  return (
    <section aria-labelledby="occurrences" className="flex flex-col gap-2">
      <h2 id="occurrences" className="font-semibold tracking-tight">
        Last occurrences in your account
      </h2>
      {requests.length === 0 ? (
        <p className="text-muted-foreground">No logged request of this account failed with this code.</p>
      ) : (
        <>
          <ul className="divide-y rounded-xl border bg-card shadow-xs">
            {requests.map(({ id, method, path, status, created_at }) => (
              <li key={id}>
                <a
                  href={`/requests/${id}`}
                  className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 hover:bg-muted/70"
                >
                  <GuideCode>
                    {method} {path}
                  </GuideCode>
                  <span className="ml-auto text-muted-foreground text-xs tabular-nums">HTTP {status}</span>
                  <time dateTime={created_at} className="text-muted-foreground text-xs tabular-nums">
                    {new Date(created_at).toLocaleString()}
                  </time>
                </a>
              </li>
            ))}
          </ul>
          <p className="text-xs">
            <a href={`/requests?code=${code}`} className={guideLink}>
              All requests with this code
            </a>
          </p>
        </>
      )}
    </section>
  );
}
