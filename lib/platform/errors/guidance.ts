import "server-only";

/** Whether and how to retry the request. */
export type Retry = "after_change" | "later" | "with_backoff" | "new_key" | "never";

/** The text of an error code's documentation page, in addition to its row in the error table. */
export interface Guidance {
  /** The cause, in one or two sentences. */
  means: string;
  /** The action the caller takes. */
  fix: string;
  retry: Retry;
}

export const RETRY_SENTENCES = {
  after_change: "Only after you change the request. The same request fails with the same error.",
  later: "Yes. Wait for the time in Retry-After, or a few seconds if the header is absent.",
  with_backoff:
    "Yes, with the same idempotency key. Wait 1 second before the first retry and double the wait each time, up to 30 seconds.",
  new_key: "Only with a new idempotency key. The original key returns the stored message, which has failed.",
  never: "No. Retrying does not change the result.",
} as const satisfies Record<Retry, string>;
