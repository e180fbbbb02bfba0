import "server-only";
import { exportOf } from "@/lib/platform/export-of";
import { ListOptOuts, listOptOuts } from "@/lib/recipients/opt-outs/list-opt-outs";

/** Opt-outs as CSV. */
export const exportOptOuts = exportOf(ListOptOuts, listOptOuts, {
  summary: "Export opt-outs as CSV",
  filename: "opt-outs.csv",
  pageRows: 500,
  itemsOf: (page) => page.opt_outs,
  columns: {
    handle: ({ handle }) => handle,
    cause: ({ cause }) => cause,
    keyword: ({ keyword }) => keyword,
    by: ({ by }) => by?.name ?? by?.type,
    started_at: ({ started_at }) => started_at,
    chat_id: ({ chat_id }) => chat_id,
    message_id: ({ message_id }) => message_id,
    ended_at: ({ ended_at }) => ended_at,
    end_cause: ({ end_cause }) => end_cause,
    ended_by: ({ ended_by }) => ended_by?.name ?? ended_by?.type,
    end_message_id: ({ end_message_id }) => end_message_id,
    last_override_at: ({ overrides }) => overrides[0]?.at,
    last_override_by: ({ overrides }) => overrides[0]?.by?.name ?? overrides[0]?.by?.type,
    last_override_reason: ({ overrides }) => overrides[0]?.reason,
  },
});
