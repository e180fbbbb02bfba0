import Link from "next/link";
import { CustomerCard } from "@/components/customers/customer-card";
import { Timestamp } from "@/components/data/time/timestamp";
import { actorName } from "@/components/opt-outs/describe-opt-out";
import { OptOutEpisode } from "@/components/opt-outs/opt-out-episode";
import { queryString } from "@/lib/client/query-string";
import type { Customer } from "@/lib/runtime/dashboard/get-customer";

/** The block and the opt-outs of a customer, each with its evidence. */
export function CustomerConsent({ customer: { handle, block, opt_outs } }: { customer: Customer }) {
  const isEmpty = block === null && opt_outs.length === 0;
  return (
    <CustomerCard title="Consent" empty={null}>
      {isEmpty && (
        <p className="text-muted-foreground">
          Never opted out and not blocked. An opt-out appears here with the words written.
        </p>
      )}
      {block !== null && (
        <p className="wrap-anywhere">
          Blocked by {actorName(block.by)} <Timestamp value={block.at} />
          {block.reason !== null && `: ${block.reason}`}
        </p>
      )}
      {opt_outs.length > 0 && (
        <ol className="flex flex-col gap-3">
          {opt_outs.map((optOut) => (
            <li key={optOut.id}>
              <OptOutEpisode optOut={optOut} />
            </li>
          ))}
        </ol>
      )}
      <a
        href={`/api/customers/${encodeURIComponent(handle)}/consent/document`}
        target="_blank"
        rel="noreferrer"
        className="underline underline-offset-4"
      >
        Consent evidence (printable)
      </a>
      {opt_outs.length > 0 && (
        <Link
          href={`/opt-outs${queryString({ state: "all", handle })}`}
          className="underline underline-offset-4"
        >
          All opt-outs of this person
        </Link>
      )}
    </CustomerCard>
  );
}
