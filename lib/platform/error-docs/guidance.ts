import "server-only";

/** Whether the same request may be sent again. */
export type Retry = "after_change" | "later" | "with_backoff" | "new_key" | "never";

/** What the page of an error code says beyond its row in the error table. */
export interface Guidance {
  /** When it is answered, in one or two sentences. */
  means: string;
  /** What the caller does about it. */
  fix: string;
  retry: Retry;
}

export const RETRY_SENTENCES = {
  after_change: "Not as it is: the same request gets the same answer. Change it first.",
  later: "Yes, once the time in Retry-After has passed, or after some seconds where there is none.",
  with_backoff:
    "Yes, with the same idempotency key: wait 1 second, double the wait each time, up to 30 seconds.",
  new_key: "Only with a new idempotency key: the old one answers with the stored, failed message.",
  never: "No. The answer will not change by itself.",
} as const satisfies Record<Retry, string>;
