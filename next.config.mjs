// server.ts sets the Content-Security-Policy because it contains a nonce for each request
// (lib/runtime/server/pages/page-policy.ts).
const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=()" },
];

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // `npm run check` type-checks every file once, so the build does not repeat it.
  typescript: { ignoreBuildErrors: true },
  // A page is loaded when it is first opened. Loading all of them would take half of the start's processor time.
  experimental: {
    preloadEntriesOnStart: false,
    turbopackCjsTreeShaking: true,
    turbopackCjsScopeHoisting: true,
    turbopackCrossModuleConstants: true,
    turbopackChunking: { requestCost: 50_000, minChunkSize: 25_000 },
  },
  serverExternalPackages: ["@node-rs/argon2", "@prisma/adapter-pg", "pg", "pino", "undici"],
  // Disables Next's image endpoint. No page uses it, and it would fetch any URL of this instance for any caller.
  images: { unoptimized: true },
  // The checkout sends its own stricter policy, which allows the processor. The dashboard embeds the checkout preview
  // in a frame.
  headers: async () => [
    { source: "/((?!pay/|api/payment-settings/preview).*)", headers: securityHeaders },
    // A person records voice memos for a simulated phone.
    {
      source: "/phones/:path*",
      headers: [{ key: "Permissions-Policy", value: "camera=(), microphone=(self), geolocation=()" }],
    },
  ],
  // The audit log includes the former history of the settings.
  redirects: async () => [
    { source: "/settings/history", destination: "/settings/audit-log", permanent: true },
  ],
  // server.ts handles this alias itself. The rewrite is for `next start` and `next dev`.
  rewrites: async () => [
    { source: "/api/partner/v3/:path*", destination: "/v3/:path*" },
    // Every page of the documentation is also a Markdown file.
    { source: "/docs/:path(.+)\\.md", destination: "/docs/markdown/:path" },
  ],
};
