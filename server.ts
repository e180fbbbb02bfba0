import next from "next";
import { routes } from "@/.generated/route-table";
import { serveInstance } from "@/lib/server/serve-instance";

await serveInstance({ routes, createNext: next });
