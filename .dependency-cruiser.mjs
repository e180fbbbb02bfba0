// Arrows point down only (docs/architecture.md). A violation fails `npm run check`.
const DOMAINS =
  "^lib/(accounts|actions|lines|health|chats|messages|attachments|contact-cards|opt-outs|polls|locations|payment-requests|checkout|agent-payments|experiences|webhooks|events|simulator|tokens|users|audit|requests)/";

export default {
  forbidden: [
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
      to: { path: "^(lib/(http|server|dashboard|client)/|node_modules/(react|next|hono)/)" },
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
      to: { path: "^lib/(platform|http|server|adapters)/" },
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
