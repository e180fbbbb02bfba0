import { ErrorNote } from "@/components/data/error-note";

/** The reasons why Stripe was not connected, by the outcome in the return URL. */
const WORDS = new Map([
  [
    "refused",
    "The connection was declined at Stripe. Nothing has changed. Connect again when you are ready.",
  ],
  [
    "failed",
    "Nothing has changed. Connect again while signed in to this account, and finish within 30 minutes. A production account requires a live Stripe account; a sandbox requires a Stripe test account.",
  ],
]);

/** The error shown when the reader returns from Stripe without a connection; null after a success. */
export function ConnectOutcome({ outcome }: { outcome: string | string[] | undefined }) {
  const words = typeof outcome === "string" ? WORDS.get(outcome) : undefined;
  return words === undefined ? null : <ErrorNote title="Stripe is not connected">{words}</ErrorNote>;
}
