import Link from "next/link";
import { providerName } from "@/components/agent-payments/provider-name";
import { CustomerCard } from "@/components/customers/customer-card";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import type { Customer } from "@/lib/runtime/dashboard/get-customer";

/** Payment requests, agent payment connections, files and internal notes of a customer. */
export function CustomerRecords({ customer }: { customer: Customer }) {
  return (
    <>
      <Payments payments={customer.payments} />
      <Connections handle={customer.handle} connections={customer.connections} />
      <Files files={customer.files} />
      <Notes notes={customer.notes} />
    </>
  );
}

const row = "flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2";

function Payments({ payments }: Pick<Customer, "payments">) {
  return (
    <CustomerCard
      title="Payment requests"
      empty={payments.length > 0 ? null : "No payment request was sent to this customer's chats."}
    >
      <ul className="divide-y">
        {payments.map(({ id, status, amount_text, currency, description, created_at }) => (
          <li key={id} className={row}>
            <Link href={`/payments/${id}`} className="wrap-anywhere min-w-0 font-medium hover:underline">
              {description ?? "Payment"}
            </Link>
            <span className="flex items-center gap-2 tabular-nums">
              {amount_text} {currency.toUpperCase()}
              <RecordBadge kind="payment" value={status} />
              <Timestamp value={created_at} className="text-muted-foreground" />
            </span>
          </li>
        ))}
      </ul>
    </CustomerCard>
  );
}

function Connections({ handle, connections }: Pick<Customer, "handle" | "connections">) {
  return (
    <CustomerCard
      title="Agent payments"
      empty={connections.length > 0 ? null : "This customer has connected no card for agent payments."}
    >
      <ul className="divide-y">
        {connections.map(({ provider, status, payments }) => (
          <li key={provider} className={row}>
            <Link
              href={`/agent-payments/customers/${encodeURIComponent(handle)}`}
              className="font-medium hover:underline"
            >
              {providerName(provider)}
            </Link>
            <span className="flex items-center gap-2 tabular-nums">
              {payments} {payments === 1 ? "payment" : "payments"}
              <RecordBadge kind="consent" value={status} />
            </span>
          </li>
        ))}
      </ul>
    </CustomerCard>
  );
}

function Files({ files }: Pick<Customer, "files">) {
  return (
    <CustomerCard title="Files" empty={files.length > 0 ? null : "No files in the recent messages."}>
      <ul className="divide-y">
        {files.map(({ id, filename, is_from_me, created_at }) => (
          <li key={id} className={row}>
            <Link href={`/attachments/${id}`} className="wrap-anywhere min-w-0 font-medium hover:underline">
              {filename}
            </Link>
            <span className="text-muted-foreground">
              {is_from_me ? "Sent" : "Received"} <Timestamp value={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </CustomerCard>
  );
}

function Notes({ notes }: Pick<Customer, "notes">) {
  return (
    <CustomerCard
      title="Internal notes"
      empty={notes.length > 0 ? null : "No internal notes. Write one in a chat; only your team sees it."}
    >
      <ul className="divide-y">
        {notes.map(({ id, chat_id, by, text, created_at }) => (
          <li key={id} className="flex flex-col gap-1 py-2">
            <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
            <p className="text-muted-foreground">
              {by ?? "A former member"}, <Timestamp value={created_at} />{" "}
              <Link href={`/chats/${chat_id}`} className="underline underline-offset-4">
                Open chat
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </CustomerCard>
  );
}
