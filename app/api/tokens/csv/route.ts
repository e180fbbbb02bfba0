import { exportTokens } from "@/lib/identity/tokens/export-tokens";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportTokens);
