import { type DataColumn, DataTable } from "@/components/data/data-table";
import { StatusBadge } from "@/components/data/status-badge";
import { DRIVER_NAMES } from "@/components/lines/describe-driver";
import type { AuditReport } from "@/lib/lines/reputation/reputation-audit";

type Evidence = AuditReport["evidence"];
type Row = Evidence["unhealthy_chats"][number] & { afterStop: number | null };

const columns: DataColumn<Row>[] = [
  {
    key: "chat",
    header: "Chat",
    cell: ({ chat_id }) => (
      <span className="font-mono text-xs">{`${chat_id.slice(0, 8)}…${chat_id.slice(-8)}`}</span>
    ),
  },
  { key: "status", header: "Health", cell: ({ status }) => <StatusBadge kind="health" value={status} /> },
  {
    key: "drivers",
    header: "Reasons",
    cell: ({ driver_keys }) => driver_keys.map((key) => DRIVER_NAMES[key]).join(", "),
  },
  {
    key: "after",
    header: "Sent after STOP",
    align: "number",
    cell: ({ afterStop }) => afterStop ?? "",
  },
];

/** The chats that an audit is based on. Each row opens its chat. */
export function AuditEvidence({ evidence }: { evidence: Evidence }) {
  const rows = toRows(evidence);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="evidence" className="flex min-w-0 flex-col gap-3">
      <h2 id="evidence" className="font-medium text-sm">
        Evidence
      </h2>
      <DataTable
        label="Evidence"
        columns={columns}
        rows={rows}
        rowKey={({ chat_id }) => chat_id}
        rowHref={({ chat_id }) => `/chats/${chat_id}`}
      />
    </section>
  );
}

function toRows({ unhealthy_chats, opt_out_chats }: Evidence): Row[] {
  const afterStop = new Map(opt_out_chats.map((chat) => [chat.chat_id, chat.messages_after_stop]));
  const known = new Set(unhealthy_chats.map(({ chat_id }) => chat_id));
  const others = opt_out_chats
    .filter(({ chat_id }) => !known.has(chat_id))
    .map(({ chat_id }) => ({
      chat_id,
      status: "OPTED_OUT" as const,
      driver_keys: ["opt_out_handling" as const],
    }));
  return [...unhealthy_chats, ...others].map((chat) => ({
    ...chat,
    afterStop: afterStop.get(chat.chat_id) ?? null,
  }));
}
