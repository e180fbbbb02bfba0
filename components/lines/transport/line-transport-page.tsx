"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ArrowRightLeft, Plus } from "lucide-react";
import { useState } from "react";
import { CopyButton } from "@/components/data/copy/copy-button";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { linesKey } from "@/components/lines/lines-key";
import { ConnectionForm } from "@/components/lines/transport/connection-form";
import { FailoverForm } from "@/components/lines/transport/failover-form";
import { SetAsideCard } from "@/components/lines/transport/set-aside-card";
import { useLineTransport } from "@/components/lines/transport/use-line-transport";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { apiFetch } from "@/lib/client/api-fetch";
import type { LineConnection, LineTransport } from "@/lib/lines/transports/get-line-transport";

const MAX_CONNECTIONS = 4;

type LineTransportPageProps = { lineId: string; initial: LineTransport };

/** The connections of a line to its vendors: health, settings and failover order. */
export function LineTransportPage({ lineId, initial }: LineTransportPageProps) {
  const { data } = useLineTransport(lineId, initial);
  const [isAdding, setIsAdding] = useState(false);
  const positions = data.connections.map(({ position }) => position);
  const free = Array.from({ length: MAX_CONNECTIONS }, (_, place) => place).find(
    (place) => !positions.includes(place),
  );
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <HealthCard transport={data} />
      <SetAsideCard lineId={lineId} />
      {data.connections.map((connection) => (
        <ConnectionCard
          key={`${connection.position} ${connection.transport}`}
          lineId={lineId}
          connection={connection}
          transports={data.transports}
        />
      ))}
      {isAdding && free !== undefined ? (
        <Card>
          <CardHeader>
            <CardTitle>New connection</CardTitle>
            <CardDescription>Used when the connections before it are down.</CardDescription>
          </CardHeader>
          <CardContent>
            <ConnectionForm
              lineId={lineId}
              position={free}
              connection={null}
              transports={data.transports}
              onSaved={() => setIsAdding(false)}
            />
          </CardContent>
        </Card>
      ) : (
        free !== undefined && (
          <Button variant="outline" className="self-start" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden="true" />
            Add connection
          </Button>
        )
      )}
      {data.connections.length > 1 && (
        <Card>
          <CardHeader>
            <CardTitle>Failover</CardTitle>
          </CardHeader>
          <CardContent>
            <FailoverForm lineId={lineId} seconds={data.failover_seconds} />
          </CardContent>
        </Card>
      )}
    </div>
  );
}

function HealthCard({ transport }: { transport: LineTransport }) {
  const { is_up, down_reason, down_since, callback_url, connections, transports } = transport;
  const active = connections.find(({ is_active }) => is_active);
  const hasCallbacks = transports.some(
    ({ name, has_callbacks }) => name === active?.transport && has_callbacks,
  );
  return (
    <Card>
      <CardHeader>
        <CardTitle className="flex flex-wrap items-center gap-2">
          Status <RecordBadge kind="connection" value={is_up ? "up" : "down"} />
        </CardTitle>
        <CardDescription>
          {is_up ? (
            `The line sends over ${active?.transport}.`
          ) : (
            <>
              {down_reason ?? "The transport reported no reason."}{" "}
              {down_since !== null && (
                <>
                  Down since <Timestamp value={down_since} />. Messages are queued.
                </>
              )}
            </>
          )}
        </CardDescription>
      </CardHeader>
      {hasCallbacks && (
        <CardContent className="flex min-w-0 flex-col gap-1">
          <span className="font-medium text-sm">Callback URL</span>
          <span className="flex min-w-0 items-center gap-2">
            <code className="min-w-0 break-all text-[0.8125rem]">{callback_url}</code>
            <CopyButton value={callback_url} label="callback URL" />
          </span>
          <p className="text-[0.8125rem] text-muted-foreground">
            Enter this URL at the vendor, unless the transport creates its webhooks itself.
          </p>
        </CardContent>
      )}
    </Card>
  );
}

type ConnectionCardProps = {
  lineId: string;
  connection: LineConnection;
  transports: LineTransport["transports"];
};

function ConnectionCard({ lineId, connection, transports }: ConnectionCardProps) {
  const queryClient = useQueryClient();
  const { position, transport, is_active } = connection;
  const refetch = () => queryClient.invalidateQueries({ queryKey: linesKey });
  return (
    <Card role="region" aria-label={`Connection ${position + 1}`}>
      <CardHeader>
        <CardTitle className="flex flex-wrap items-center gap-2">
          {position + 1}. {transport} {is_active && <RecordBadge kind="connection" value="in_use" />}
        </CardTitle>
        {!is_active && (
          <div className="flex flex-wrap gap-2">
            <ConfirmAction
              label="Use now"
              icon={<ArrowRightLeft aria-hidden="true" />}
              name={`Use now: connection ${position + 1}`}
              title="Use this connection?"
              description="Queued messages are sent over this connection. Messages that the vendor of the current one may have are not sent again: they fail with 4006."
              confirm="Use connection"
              keep="Cancel"
              done="The line uses another connection"
              failed="The line could not use the connection"
              isDestructive={false}
              action={() =>
                apiFetch(`/api/lines/${lineId}/transport/active`, { method: "PUT", body: { position } })
              }
              onDone={() => void refetch()}
            />
            <ConfirmAction
              label="Remove"
              name={`Remove connection ${position + 1}`}
              title="Remove this connection?"
              description="Trunkline deletes its settings and secrets."
              confirm="Remove connection"
              keep="Cancel"
              done="Connection removed"
              failed="The connection could not be removed"
              action={() =>
                apiFetch(`/api/lines/${lineId}/transport/standbys/${position}`, { method: "DELETE" })
              }
              onDone={() => void refetch()}
            />
          </div>
        )}
      </CardHeader>
      <CardContent>
        <ConnectionForm lineId={lineId} position={position} connection={connection} transports={transports} />
      </CardContent>
    </Card>
  );
}
