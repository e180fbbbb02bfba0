import { type DataColumn, DataTable } from "@/components/data/data-table";
import { StatusBadge } from "@/components/data/status-badge";
import { AuditChat } from "@/components/lines/audits/audit-chat";
import { DRIVER_NAMES } from "@/components/lines/audits/describe-driver";
import type { AuditView } from "@/lib/lines/reputation/get-audit-view";
import type { AuditReport } from "@/lib/lines/reputation/reputation-audit";

type Evidence = AuditReport["evidence"];
type Chats = AuditView["chats"];
type Row = Evidence["unhealthy_chats"][number] & {
  afterStop: number | null;
  chat: Chats[number] | undefined;
};

const columns: DataColumn<Row>[] = [
  {
    key: "chat",
    header: "Chat",
    cell: ({ chat_id, chat }) => <AuditChat chatId={chat_id} chat={chat} />,
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
export function AuditEvidence({ evidence, chats }: { evidence: Evidence; chats: Chats }) {
  const rows = toRows(evidence, chats);
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

function toRows({ unhealthy_chats, opt_out_chats }: Evidence, chats: Chats): Row[] {
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
    chat: chats.find(({ chat_id }) => chat_id === chat.chat_id),
    afterStop: afterStop.get(chat.chat_id) ?? null,
  }));
}
