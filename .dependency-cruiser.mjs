// Arrows point down only (docs/architecture.md). A violation fails `npm run check`.
const DOMAINS = "^lib/(identity|lines|messaging|recipients|payments|webhooks|events|simulator|request-log)/";

/** The rooms of lib/ that may not be used from below, from the top down. */
const ABOVE = {
  simulator: "runtime",
  payments: "runtime|simulator",
  messaging: "runtime|simulator",
  lines: "runtime|simulator|payments",
  recipients: "runtime|simulator|payments|lines",
  "request-log": "runtime|simulator|payments|messaging|lines|recipients|webhooks|identity",
  webhooks: "runtime|simulator|payments|request-log",
  identity: "runtime|simulator|payments|messaging|lines|recipients|webhooks|request-log",
  events: "runtime|simulator|request-log|identity",
  adapters: "runtime|simulator|payments|messaging|lines|recipients|webhooks|request-log|identity|events",
};

const layers = Object.entries(ABOVE).map(([room, above]) => ({
  name: `${room}-stays-below`,
  severity: "error",
  from: { path: `^lib/${room}/`, pathNot: "\\.test\\.ts$" },
  to: { path: `^lib/(${above})/` },
}));

export default {
  forbidden: [
    ...layers,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "lib-below-app",
      comment: "lib is used by pages and routes, never the other way round",
      severity: "error",
      from: { path: "^lib/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(app|components)/" },
    },
    {
      name: "domains-do-not-know-http",
      severity: "error",
      from: { path: DOMAINS, pathNot: "\\.test\\.ts$" },
      to: { path: "^(lib/client/|node_modules/(react|next|hono)/)" },
    },
    {
      name: "platform-imports-nothing-of-ours",
      severity: "error",
      from: { path: "^lib/platform/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(app|components|lib/(?!platform/))" },
    },
    {
      name: "vendors-only-through-the-registry",
      severity: "error",
      from: { path: "^(app|components|lib)/", pathNot: "^lib/(adapters|simulator)/|\\.test\\.ts$" },
      to: { path: "^lib/adapters/[^/]+/[^/]+/" },
    },
    {
      name: "the-simulator-knows-no-other-vendor",
      comment: "lib/simulator is how partners control the simulator's phones",
      severity: "error",
      from: { path: "^lib/simulator/" },
      to: { path: "^lib/adapters/", pathNot: "^lib/adapters/transports/simulator/" },
    },
    {
      name: "vendors-do-not-know-each-other",
      severity: "error",
      from: { path: "^lib/adapters/[^/]+/([^/]+)/" },
      to: { path: "^lib/adapters/[^/]+/[^/]+/", pathNot: "^lib/adapters/[^/]+/$1/" },
    },
    {
      name: "routes-never-touch-the-database",
      severity: "error",
      from: { path: "^app/.*route\\.ts$" },
      to: { path: "^lib/platform/(db|prisma)" },
    },
    {
      name: "client-code-stays-small",
      comment: "the browser gets components and lib/client, never a verb",
      severity: "error",
      from: { path: "^lib/client/" },
      to: { path: "^lib/(platform|runtime|adapters)/" },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: false,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(node_modules|\\.next|dist|lib/platform/prisma)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
    },
  },
};
