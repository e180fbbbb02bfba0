// Dependencies, including those on types, only point downward (docs/architecture.md). A violation fails `npm run
// check`.

/** The rooms of lib/, from the bottom up. A room can use only the rooms before it. */
const ROOMS = [
  "platform",
  "adapters",
  "events",
  "identity",
  "webhooks",
  "request-log",
  "attachments",
  "recipients",
  "lines",
  "messaging",
  "payments",
  "simulator",
  "privacy",
  "docs",
  "operations",
  "runtime",
];

/** Functions that store inbound events, one per type. Only the sink can call them. */
const RECEIVERS =
  "^lib/messaging/.*/(receive-(message|edit|reaction|poll-change|location|member|typing|background|group-change)|apply-receipt)\\.ts$|^lib/lines/lines/(receive-line-flag|set-line-up)\\.ts$|^lib/recipients/opt-outs/receive-opt-out\\.ts$";
const DOMAINS = `^lib/(${ROOMS.slice(2, -1).join("|")})/`;
const TEST = "\\.test\\.tsx?$";

/**
 * One rule per room, which rules out cycles between rooms. lib/client is above the domains: only runtime, which serves
 * its pages, can use it. No room uses lib/testing or lib/testkit.
 */
const layers = ROOMS.map((room, index) => ({
  name: `${room}-uses-only-rooms-below`,
  severity: "error",
  from: { path: `^lib/${room}/`, pathNot: TEST },
  to: {
    path: `^lib/(${[...ROOMS.slice(index + 1), ...(room === "runtime" ? [] : ["client"]), "testing", "testkit"].join("|")})/`,
  },
}));

/**
 * The top level of a domain, `lib/<room>/<domain>/`, is its door. Its subfolders are for itself. Adapters have rules of
 * their own below.
 */
const INNER = "^lib/(?!adapters/|platform/prisma/)([^/]+)/([^/]+)/[^/]+/";
const doors = [
  {
    name: "a-domain-is-entered-by-its-door",
    comment: "import a file of the domain's top level, or move what others need there",
    severity: "error",
    from: { path: "^lib/(?!testing/)([^/]+)/([^/]+)/", pathNot: TEST },
    to: { path: INNER, pathNot: "^lib/$1/$2/" },
  },
  {
    name: "pages-enter-a-domain-by-its-door",
    severity: "error",
    from: { path: "^(app|components|server\\.ts)|^lib/(?!testing/)[^/]+/[^/]+$", pathNot: TEST },
    to: { path: INNER },
  },
];

export default {
  forbidden: [
    ...layers,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...doors,
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
      to: { path: "^lib/adapters/[^/]+/(?!simulator/)[^/]+/" },
    },
    {
      name: "inbound-goes-through-the-sink",
      comment: "vendor callbacks, polls and simulated phones all end in Sink.receive",
      severity: "error",
      from: { path: "^(app|lib)/", pathNot: `^lib/runtime/wiring/|${TEST}|^lib/testing/` },
      to: { path: RECEIVERS },
    },
    {
      name: "adapters-hold-no-database-in-their-port",
      comment:
        "a port and its conformance suite know no database; a vendor's folder may have tables of its own",
      severity: "error",
      from: { path: "^lib/adapters/transports/[^/]+\\.ts$" },
      to: { path: "^lib/platform/(database/db|prisma/client)" },
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
      to: { path: "^lib/platform/(database/db|prisma)" },
    },
    {
      name: "the-testkit-is-an-outside-client",
      comment: "trunkline/testing uses an instance over HTTP; it shares only the generated types of the API",
      severity: "error",
      from: { path: "^lib/testkit/", pathNot: TEST },
      to: { path: "^(app|components|lib/(?!testkit/))" },
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
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(node_modules|\\.next|dist|lib/platform/prisma)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
    },
  },
};
