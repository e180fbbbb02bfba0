import Link from "next/link";
import { Fragment } from "react";
import { NamedHandle } from "@/components/customers/handle-link";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { Fact, FactList } from "@/components/data/fact-list";
import { Timestamp } from "@/components/data/time/timestamp";
import { ProcessorId } from "@/components/payments/processor-id";
import type { PaymentRequestView } from "@/lib/payments/requests/payment-request-view";

const CHECKOUT_DETAILS = [
  ["Success URL", "success_url"],
  ["Return URL", "return_url"],
  ["Cancel URL", "cancel_url"],
  ["Receipt email", "receipt_email"],
  ["Checkout language", "locale"],
] as const;

/** The details of a payment request besides its amount and timeline. */
export function PaymentDetails({ request }: { request: PaymentRequestView }) {
  const { primary = {}, secondary = {}, processor } = request;
  const ids = Object.entries({ ...primary, ...secondary }).filter(([, id]) => id !== undefined);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <FactList>
        <Fact name="Request">
          <CopyableId value={request.id} label="request id" />
        </Fact>
        <Fact name="Kind">{kindOf(request)}</Fact>
        <Fact name="Created">
          <Timestamp value={request.created_at} format="moment" />
        </Fact>
        {request.expires_at && (
          <Fact name="Expires">
            <Timestamp value={request.expires_at} format="moment" />
          </Fact>
        )}
        {request.trial_end && (
          <Fact name="Trial until">
            <Timestamp value={request.trial_end} format="moment" />
          </Fact>
        )}
        <Fact name="Sent to">
          {request.sent_to.length === 0 && <span className="text-muted-foreground">Not sent yet</span>}
          {request.sent_to.map(({ chat_id, handle }) => (
            <Link
              key={chat_id}
              href={`/chats/${chat_id}`}
              className="tabular-nums underline underline-offset-4"
            >
              {handle === null ? "A chat" : <NamedHandle handle={handle} />}
            </Link>
          ))}
        </Fact>
        {CHECKOUT_DETAILS.map(
          ([name, key]) =>
            request[key] !== undefined && (
              <Fact key={name} name={name}>
                <span className="wrap-anywhere" dir="auto">
                  {request[key]}
                </span>
              </Fact>
            ),
        )}
        {request.items && request.items.length > 0 && (
          <Fact name="Items">
            {request.items.map(({ name, quantity = 1 }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity and never change
              <Fragment key={index}>
                {index > 0 && ", "}
                {quantity} × <bdi>{name}</bdi>
              </Fragment>
            ))}
          </Fact>
        )}
        {request.discount && (
          <Fact name="Discount">
            <bdi>{request.discount.label ?? Object.values(request.discount)[0]}</bdi>
          </Fact>
        )}
      </FactList>
      <FactList className="sm:grid-cols-1">
        <Fact name="Processor">{processor === "sandbox" ? "Sandbox (no money moves)" : processor}</Fact>
        {ids.length === 0 && (
          <Fact name="Payment">
            <span className="text-muted-foreground">Created when the payer opens the link</span>
          </Fact>
        )}
        {ids.map(([name, id]) => (
          <Fact key={name} name={nameOf(name)}>
            <ProcessorId processor={processor} id={String(id)} label={nameOf(name)} />
          </Fact>
        ))}
        {request.price_id && (
          <Fact name="Price">
            <ProcessorId processor={processor} id={request.price_id} label="Price" />
          </Fact>
        )}
      </FactList>
      {request.metadata && <Metadata metadata={request.metadata} />}
    </div>
  );
}

function Metadata({ metadata }: { metadata: Record<string, string> }) {
  return (
    <section aria-label="Metadata" className="flex flex-col gap-2">
      <h2 className="font-medium text-sm">Metadata</h2>
      <FactList className="sm:grid-cols-1">
        {Object.entries(metadata).map(([name, value]) => (
          <Fact key={name} name={name}>
            <span className="wrap-anywhere">{value}</span>
          </Fact>
        ))}
      </FactList>
    </section>
  );
}

function kindOf({ mode, interval, interval_count, quantity }: PaymentRequestView): string {
  if (mode === "payment" || interval === undefined) return "One-time payment";
  const every =
    interval_count === undefined || interval_count === 1
      ? `every ${interval}`
      : `every ${interval_count} ${interval}s`;
  return quantity === undefined || quantity === 1
    ? `Subscription, ${every}`
    : `Subscription, ${quantity} ${every}`;
}

function nameOf(name: string): string {
  const words = name.replace(/_id$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
