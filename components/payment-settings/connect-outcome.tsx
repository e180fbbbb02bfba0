import { ErrorNote } from "@/components/data/error-note";

/** Why a person who came back from Stripe finds nothing connected. */
const WORDS = new Map([
  ["refused", "Connecting was declined at Stripe, so nothing has changed. Connect whenever you are ready."],
  [
    "failed",
    "Nothing has changed. Connect once more, within half an hour and signed in to this account: a production account takes a live Stripe account, a sandbox one of tests.",
  ],
]);

/** What came of connecting Stripe, when nothing did. */
export function ConnectOutcome({ outcome }: { outcome: string | string[] | undefined }) {
  const words = typeof outcome === "string" ? WORDS.get(outcome) : undefined;
  return words === undefined ? null : <ErrorNote title="Stripe is not connected">{words}</ErrorNote>;
}
