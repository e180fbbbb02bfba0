import { apiFetch } from "@/lib/client/api-fetch";
import { loadTogether } from "@/lib/client/load-together";
import { queryString } from "@/lib/client/query-string";

/** Reads the name of a handle; null when it has none. Handles that are shown together share a request. */
export const loadHandleName = loadTogether<string>(async (handles) => {
  const { names } = await apiFetch<{ names: { handle: string; name: string }[] }>(
    `/api/customers/names${queryString({ handles: handles.join(",") })}`,
  );
  return new Map(names.map(({ handle, name }) => [handle, name]));
});
