// npm run openapi: generates openapi.json and openapi-simulator.json from the contracts and the event catalog, and
// docs/settings.md from the settings.
import { bundleAll, generateSources } from "./build.mjs";

generateSources();
await bundleAll();
await import("../dist/openapi.mjs");
