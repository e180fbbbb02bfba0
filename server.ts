import next from "next";
import { privateRoutes } from "@/.generated/private-route-table";
import { routes } from "@/.generated/route-table";
import { serveInstance } from "@/lib/runtime/server/serve-instance";
import { takeParent, whenParentEnds } from "@/scripts/when-parent-ends.mjs";

whenParentEnds(() => process.kill(process.pid, "SIGTERM"), takeParent());
await serveInstance({ routes: [...routes, ...privateRoutes], createNext: next });
