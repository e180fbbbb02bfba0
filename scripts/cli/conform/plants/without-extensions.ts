import { isExtension, operationsOf, readApiDocument } from "@/scripts/cli/conform/api-document";
import type { ProxiedRequest, ProxiedResponse } from "@/scripts/cli/conform/plants/planting-proxy";

type Fields = Record<string, unknown>;

/** Fields that the specification lets an implementation omit, by a field that only such objects have. */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  joined_at: ["is_me", "left_at", "status", "line_type"],
  health_status: ["group_chat_icon", "line_type"],
  delivery_status: [
    "delivered_at",
    "read_at",
    "effect",
    "from",
    "from_handle",
    "preferred_service",
    "reply_to",
  ],
  signing_secret: ["phone_numbers", "routing_key_header", "routing_id_header"],
};

const operations = operationsOf(readApiDocument());
const ADDED_FIELDS = ["send_at", "quiet_hours"];
const KEYS_OF_TRUNKLINE = /\/(voicememo|update)$/;

/** Makes Trunkline an implementation of the specification alone, which ignores what it does not know. */
export const WITHOUT_EXTENSIONS = {
  request(request: ProxiedRequest): void {
    const { method, body } = request;
    const url = new URL(request.path, "http://localhost");
    const operation = operations.find(
      (one) => one.method === method && patternOf(one.path).test(url.pathname),
    );
    if (operation?.isExtension === true) request.path = "/v3/no_such_path";
    const added = operation?.parameters.filter((one) => one.in === "query" && isExtension(one)) ?? [];
    for (const { name } of added) url.searchParams.delete(name);
    if (added.length > 0) request.path = `${url.pathname}${url.search}`;
    if (typeof body !== "object" || body === null || Array.isArray(body)) return;
    for (const name of ADDED_FIELDS) delete body[name];
    if (KEYS_OF_TRUNKLINE.test(url.pathname)) delete body.idempotency_key;
  },
  response(_: ProxiedRequest, { status, body }: ProxiedResponse): void {
    if (status < 300) omit(body);
  },
};

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

function omit(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [mark, names] of Object.entries(OMITTED)) {
    if (Object.hasOwn(value, mark)) for (const name of names) delete (value as Fields)[name];
  }
  for (const one of Object.values(value)) omit(one);
}
