import type { ProxiedRequest, ProxiedResponse } from "@/scripts/cli/conform/plants/planting-proxy";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Whether a request is of an operation, whose path may contain `{id}`. */
export function isOf(request: ProxiedRequest, operation: string): boolean {
  const [method, path = ""] = operation.split(" ");
  const pattern = new RegExp(`^${path.replaceAll("{id}", UUID)}$`);
  return request.method === method && pattern.test(request.path.split("?")[0] ?? "");
}

/** Changes the successful responses of an operation. */
export const inSuccess =
  (operation: string, change: (response: ProxiedResponse, request: ProxiedRequest) => void) =>
  (request: ProxiedRequest, response: ProxiedResponse) => {
    if (isOf(request, operation) && response.status < 300) change(response, request);
  };

/** Removes a parameter from the requests of an operation. */
export const without = (operation: string, parameter: string) => (request: ProxiedRequest) => {
  if (!isOf(request, operation)) return;
  const url = new URL(request.path, "http://localhost");
  url.searchParams.delete(parameter);
  request.path = `${url.pathname}${url.search}`;
};
