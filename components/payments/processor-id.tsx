import { ExternalLink } from "lucide-react";
import { CopyableId } from "@/components/data/copy/copyable-id";

const STRIPE_PAGES: Record<string, string> = {
  cus_: "customers",
  pi_: "payments",
  sub_: "subscriptions",
  price_: "prices",
  re_: "refunds",
  dp_: "disputes",
  du_: "disputes",
};

type ProcessorIdProps = { processor: string; id: string; label: string };

/** An id at the card processor, linked to the processor's dashboard when it has one. */
export function ProcessorId({ processor, id, label }: ProcessorIdProps) {
  const page = Object.entries(STRIPE_PAGES).find(([prefix]) => id.startsWith(prefix))?.[1];
  return (
    <span className="flex min-w-0 items-center gap-1">
      <CopyableId value={id} label={`${label} id`} keep={12} />
      {processor === "stripe" && page && (
        <a
          href={`https://dashboard.stripe.com/${page}/${encodeURIComponent(id)}`}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open ${label} at Stripe`}
          className="inline-flex size-6 items-center justify-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground pointer-coarse:size-8"
        >
          <ExternalLink aria-hidden="true" className="size-3.5" />
        </a>
      )}
    </span>
  );
}
