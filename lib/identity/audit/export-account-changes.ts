import "server-only";
import { ListAccountChanges, listAccountChanges } from "@/lib/identity/audit/list-account-changes";
import { exportOf } from "@/lib/platform/export-of";

/** The history of an account's settings as CSV. */
export const exportAccountChanges = exportOf(ListAccountChanges, listAccountChanges, {
  summary: "Export changes of the account's settings as CSV",
  filename: "settings-history.csv",
  pageRows: 500,
  itemsOf: (page) => page.changes,
  columns: {
    change_id: ({ id }) => id,
    created_at: ({ created_at }) => created_at,
    action: ({ action }) => action,
    object_type: ({ object_type }) => object_type,
    object: ({ object }) => object,
    by_type: ({ by }) => by.type,
    by_name: ({ by }) => by.name,
    detail: ({ detail }) => JSON.stringify(detail),
  },
});
