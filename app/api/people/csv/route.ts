import { exportPeople } from "@/lib/identity/people/list-people";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportPeople);
