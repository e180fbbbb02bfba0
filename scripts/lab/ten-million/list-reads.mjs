import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { listPages } from "../../screenshot/list-pages.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Routes that are no list and no figure of a page, and why. */
const NOT_MEASURED = [
  [/^\/v3\/messages$/, "finds one message"],
  [/\/(poll|credentials)$/, "describes one message or payment"],
  [/\/(csv|export)$/, "an export streams all rows"],
  [/\/stream$/, "a stream does not end"],
  [/^\/api\/(auth\/|passkey-sign-in$)/, "signs in"],
  [/\/callback$/, "answers a processor"],
  [/\/document$/, "renders a document"],
  [/\/preview$/, "renders an image or the checkout"],
  [/\/send-blockers$/, "checks one draft"],
];

/** Queries with filters, in addition to the unfiltered list if there is one. */
const FILTERS = {
  "/api/agent-payments": ["status=expired,canceled"],
  "/api/agent-payments/connections": ["status=connected"],
  "/api/attachments": ["q=file&family=image&status=complete"],
  "/api/blocked-handles": ["search=1557"],
  "/api/chat-health": ["status=AT_RISK", "search=15560000"],
  "/api/chats": ["search=15560000", "search=00042"],
  "/api/events": ["types=message.failed", "types=chat.created", "status=failed", "from=2020-01-01T00:00:00Z"],
  "/api/find": ["q=15560000", "q=order", "q=%2B15560000042"],
  "/api/opt-outs": ["state=all"],
  "/api/payment-requests": ["q=order&status=canceled&currency=usd"],
  "/api/requests": ["method=GET&status=2xx", "status=4xx", "status=5xx"],
  "/api/requests/errors": ["period=30d"],
  "/api/webhooks/{subscriptionId}/deliveries": ["status=failed", "status=delivered"],
  "/api/webhooks/{subscriptionId}/stats": ["period=7d"],
  "/v3/payment_requests": ["limit=50&offset=5000"],
};

const NEEDS_A_QUERY = ["/api/find"];

/**
 * Every list of the API, every route that a page of the dashboard reads, and every page of the dashboard, from the
 * OpenAPI document and from `app/`. Each entry is `{ name, url, isPage, isApi }`; `isApi` needs the token, the others
 * the cookie. Throws for a path parameter that `params` lacks, so that new routes can't be forgotten.
 */
export function listReads(params) {
  const filled = (template) => ({ name: template, url: fillPath(template, params) });
  const api = apiLists().map((template) => ({ ...filled(template), isApi: true }));
  const reads = [...api, ...dashboardRoutes().map(filled)].flatMap((read) => {
    const filtered = (FILTERS[read.name] ?? []).map((filter) => ({
      ...read,
      name: `${read.name}?${filter}`,
      url: `${read.url}?${filter}`,
    }));
    return NEEDS_A_QUERY.includes(read.name) ? filtered : [read, ...filtered];
  });
  const pages = listPages({ params, pages: [] })
    .filter(({ url, isSignedOut }) => !isSignedOut && !url.startsWith("/docs"))
    .map(({ name, url }) => ({ name: `page ${name}`, url, isPage: true }));
  return [...reads, ...pages];
}

function fillPath(template, params) {
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    if (params[name] === undefined) throw new Error(`${template}: there is no value for {${name}}`);
    return encodeURIComponent(params[name]);
  });
}

/** The paths of the API whose response contains a list. A path that ends with a parameter describes one resource. */
function apiLists() {
  const document = JSON.parse(readFileSync(path.join(ROOT, "openapi.json"), "utf8"));
  return Object.entries(document.paths)
    .filter(([template, { get }]) => {
      if (template.endsWith("}") || !isMeasured(template)) return false;
      const content = get?.responses?.["200"]?.content?.["application/json"];
      return content !== undefined && hasList(resolve(document, content.schema), document);
    })
    .map(([template]) => template);
}

function hasList(schema, document) {
  const properties = Object.values(schema.properties ?? {}).map((property) => resolve(document, property));
  return schema.type === "array" || properties.some(({ type }) => type === "array");
}

function resolve(document, schema) {
  if (schema.$ref === undefined) return schema;
  const keys = schema.$ref.replace("#/", "").split("/");
  return keys.reduce((part, key) => part[key], document);
}

function dashboardRoutes() {
  const folder = path.join(ROOT, "app");
  return readdirSync(path.join(folder, "api"), { recursive: true })
    .filter((file) => path.basename(file) === "route.ts")
    .filter((file) =>
      /export (const|async function|function) GET\b/.test(
        readFileSync(path.join(folder, "api", file), "utf8"),
      ),
    )
    .map((file) =>
      `/api/${path.dirname(file).split(path.sep).join("/")}`.replace(/\[(?:\.{3})?(\w+)\]/g, "{$1}"),
    )
    .filter(isMeasured)
    .toSorted();
}

function isMeasured(route) {
  return !NOT_MEASURED.some(([pattern]) => pattern.test(route));
}
