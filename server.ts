import { openInstance } from "@/lib/runtime/server/open-instance";

// PostgreSQL starts while the rest is loaded, which takes as long.
const instance = openInstance(process.env);
// serveInstance reports a failure.
instance.catch(() => undefined);
process.once("SIGTERM", stopEarly);
process.once("SIGINT", stopEarly);

const [{ default: createNext }, { routes }, { privateRoutes }, { serveInstance }] = await Promise.all([
  import("next"),
  import("@/.generated/route-table"),
  import("@/.generated/private-route-table"),
  import("@/lib/runtime/server/serve-instance"),
]);

process.off("SIGTERM", stopEarly);
process.off("SIGINT", stopEarly);
await serveInstance({ routes: [...routes, ...privateRoutes], createNext, instance });

function stopEarly(): void {
  void instance.then(({ postgres }) => postgres?.stop()).finally(() => process.exit(0));
}
