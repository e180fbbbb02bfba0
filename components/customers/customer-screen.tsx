"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { UnblockHandle } from "@/components/blocked-handles/unblock-handle";
import type { ChatRights } from "@/components/chats/list/no-chat-match";
import { CustomerAnswer } from "@/components/customers/customer-answer";
import { CustomerChats } from "@/components/customers/customer-chats";
import { CustomerConsent } from "@/components/customers/customer-consent";
import { CustomerRecords } from "@/components/customers/customer-records";
import { EraseCustomerButton } from "@/components/customers/erase-customer-button";
import { ErasureNotice } from "@/components/customers/erasure-notice";
import { NameButton } from "@/components/customers/name-button";
import { TimeZoneButton } from "@/components/customers/time-zone-button";
import { ExportButton } from "@/components/data/export-button";
import { Grouped } from "@/components/data/grouped";
import { StatusBadge } from "@/components/data/status-badge";
import { DetailsPage } from "@/components/details/details-page";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Line } from "@/lib/lines/lines/line";
import type { Customer } from "@/lib/runtime/dashboard/get-customer";

/** Blocks, names and notes of colleagues emit no event to this page. */
const REREAD_MS = 15_000;

type CustomerScreenProps = {
  initial: Customer;
  lines: Line[];
  rights: ChatRights & { managePersonalData: boolean };
};

/** One customer: whether the handle can be messaged and why not, chats, consent, payments, files and notes. */
export function CustomerScreen({ initial, lines, rights }: CustomerScreenProps) {
  const { handle } = initial;
  const { data, error, refetch } = useQuery<Customer, ApiFailure>({
    queryKey: ["customer", handle],
    queryFn: ({ signal }) => apiFetch(`/api/customers/${encodeURIComponent(handle)}`, { signal }),
    initialData: initial,
    refetchInterval: REREAD_MS,
  });
  const isOptedOut = data.opt_outs.some(({ ended_at }) => ended_at === null);

  return (
    <DetailsPage
      title={data.name ?? handle}
      status={
        <>
          {isOptedOut && <StatusBadge kind="messaging" value="opted_out" />}
          {data.block !== null && <StatusBadge kind="messaging" value="blocked" />}
        </>
      }
      description={describeName(data)}
      actions={
        <>
          {rights.send && <NameButton handle={handle} name={data.name} onDone={() => void refetch()} />}
          {rights.send && (
            <TimeZoneButton handle={handle} timeZone={data.time_zone} onDone={() => void refetch()} />
          )}
          {data.block !== null && rights.manageBlocks && (
            <UnblockHandle handle={handle} reason={data.block.reason} />
          )}
          {rights.managePersonalData && (
            <>
              <ExportButton
                label="Export customer"
                path={`/api/customers/${encodeURIComponent(handle)}/export`}
                start={() =>
                  apiFetch(`/api/customers/${encodeURIComponent(handle)}/export`, { method: "POST" })
                }
              />
              <EraseCustomerButton handle={handle} />
            </>
          )}
        </>
      }
      failure={error}
      onRetry={() => void refetch()}
      notice={
        <>
          {data.erasure !== null && <ErasureNotice erasure={data.erasure} />}
          <CustomerAnswer customer={data} lines={lines} rights={rights} />
        </>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <CustomerChats chats={data.chats} hasMore={data.has_more_chats} handle={handle} />
        <CustomerConsent customer={data} />
        <CustomerRecords customer={data} />
      </div>
    </DetailsPage>
  );
}

function describeName({ handle, name, name_source }: Customer): ReactNode {
  if (name === null) return "Chats, consent, payments, files and notes of this person.";
  return (
    <span className="wrap-anywhere tabular-nums">
      <Grouped>{handle}</Grouped>
      {name_source === "contact_card" && " · name from a contact card"}
    </span>
  );
}
