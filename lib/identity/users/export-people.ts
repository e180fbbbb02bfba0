import "server-only";
import { ListPeople, listPeople } from "@/lib/identity/users/list-people";
import { exportOf } from "@/lib/platform/export-of";

/** The people of a partner as CSV. */
export const exportPeople = exportOf(ListPeople, listPeople, {
  summary: "Export the partner's team members as CSV",
  filename: "people.csv",
  pageRows: 500,
  itemsOf: (page) => page.people,
  columns: {
    user_id: ({ id }) => id,
    name: ({ name }) => name,
    email: ({ email }) => email,
    role: ({ role }) => role,
    joined_at: ({ joined_at }) => joined_at,
    last_sign_in_at: ({ last_sign_in_at }) => last_sign_in_at,
    is_invited: ({ is_invited }) => String(is_invited),
  },
});
