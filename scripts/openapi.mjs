// npm run openapi: writes openapi.json and openapi-simulator.json anew from the contracts and the event catalog.
import { bundleAll, generateSources } from "./build.mjs";

generateSources();
await bundleAll();
await import("../dist/openapi.mjs");
