import { exportTokens } from "@/lib/identity/tokens/list-tokens";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportTokens);
