import "server-only";
import { exportOf } from "@/lib/platform/export-of";
import { ListReplays, listReplays } from "@/lib/webhooks/list-replays";

/** Replays as CSV. */
export const exportReplays = exportOf(ListReplays, listReplays, {
  summary: "Export replays as CSV",
  filename: "replays.csv",
  pageRows: 500,
  itemsOf: (page) => page.replays,
  columns: {
    replay_id: ({ id }) => id,
    subscription_id: ({ subscription_id }) => subscription_id,
    selection: ({ selection }) => JSON.stringify(selection),
    status: ({ state }) => state,
    reason: ({ reason }) => reason,
    events: ({ total }) => total,
    delivered: ({ delivered }) => delivered,
    failed: ({ failed }) => failed,
    skipped: ({ skipped }) => skipped,
    retrying: ({ retrying }) => retrying,
    created_by: ({ created_by }) => created_by,
    created_at: ({ created_at }) => created_at,
    ended_at: ({ ended_at }) => ended_at,
  },
});
