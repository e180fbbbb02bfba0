import { Timestamp } from "@/components/data/time/timestamp";
import { Spinner } from "@/components/ui/spinner";
import type { PersonErasure } from "@/lib/privacy/erasure/erase-person";

/** The state of a customer's last erasure. */
export function ErasureNotice({ erasure }: { erasure: PersonErasure }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-md border bg-muted/40 px-3 py-2 text-sm"
    >
      {erasure.erased_at === null ? (
        <>
          <Spinner />
          <span>
            Erasing this customer, requested <Timestamp value={erasure.requested_at} />.
          </span>
        </>
      ) : (
        <span>
          Everything stored about this customer was erased <Timestamp value={erasure.erased_at} />
          {erasure.ended_at === null
            ? ". The remains of sends and deliveries in progress are erased within 15 minutes."
            : ". What is shown here came later."}
        </span>
      )}
      {erasure.in_backups !== null && (
        <span>
          Backups of this instance contain the customer{" "}
          {erasure.in_backups.until === null ? (
            "until you remove them."
          ) : (
            <>
              until <Timestamp value={erasure.in_backups.until} />.
            </>
          )}
        </span>
      )}
    </div>
  );
}
