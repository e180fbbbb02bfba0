import { exportPeople } from "@/lib/identity/users/export-people";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportPeople);
