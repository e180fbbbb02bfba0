import { listSearchEntries } from "@/lib/runtime/docs/list-search-entries";

export const dynamic = "force-static";

export function GET(): Response {
  return Response.json(listSearchEntries());
}
