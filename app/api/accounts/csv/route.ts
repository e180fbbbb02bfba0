import { exportAccounts } from "@/lib/identity/accounts/list-accounts";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportAccounts);
