import { listSearchEntries } from "@/lib/docs/documents/list-search-entries";

export const dynamic = "force-static";

export function GET(): Response {
  return Response.json(listSearchEntries());
}
