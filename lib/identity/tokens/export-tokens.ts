import "server-only";
import { ListTokens, listTokens } from "@/lib/identity/tokens/list-tokens";
import { exportOf } from "@/lib/platform/export-of";

/** The API tokens of an account as CSV, without their secrets. */
export const exportTokens = exportOf(ListTokens, listTokens, {
  summary: "Export API tokens as CSV",
  filename: "api-tokens.csv",
  itemsOf: (page) => page.tokens,
  columns: {
    token_id: ({ id }) => id,
    name: ({ name }) => name,
    prefix: ({ prefix }) => prefix,
    last_four: ({ last_four }) => last_four,
    scopes: ({ scopes }) => scopes.join(" "),
    allowed_addresses: ({ allowed_addresses }) => allowed_addresses.join(" "),
    created_at: ({ created_at }) => created_at,
    created_by: ({ created_by }) => created_by,
    last_used_at: ({ last_used_at }) => last_used_at,
    last_used_from: ({ last_used_from }) => last_used_from,
    expires_at: ({ expires_at }) => expires_at,
    revoked_at: ({ revoked_at }) => revoked_at,
  },
});
