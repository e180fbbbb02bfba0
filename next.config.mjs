// The Content-Security-Policy is server.ts's: it has a nonce for each request (lib/runtime/server/page-policy.ts).
const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=()" },
];

const signedOut = [
  { type: "cookie", key: "trunkline_session" },
  { type: "cookie", key: "__Secure-trunkline_session" },
];

function backAfterSignIn(source, to) {
  return { source, missing: signedOut, destination: `/sign-in?to=${to}`, permanent: false };
}

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // `npm run check` checks the types, once and of every file.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@node-rs/argon2", "@prisma/adapter-pg", "pg", "pg-boss", "pino", "undici"],
  // No page uses Next's image endpoint, which would fetch any URL of this instance for any caller.
  images: { unoptimized: true },
  // The checkout's own policy is stricter and allows the processor. The checkout preview is displayed in a frame of
  // the dashboard.
  headers: async () => [{ source: "/((?!pay/|api/payment-settings/preview).*)", headers: securityHeaders }],
  // A person who is not signed in returns to the requested page after the sign-in. Pages check the session
  // themselves.
  redirects: async () => [
    backAfterSignIn("/:page(chats|attachments|events|payments|agent-payments|tokens|requests)", "/:page"),
    backAfterSignIn("/chats/:chat", "/chats/:chat"),
    backAfterSignIn("/attachments/:attachment", "/attachments/:attachment"),
    backAfterSignIn("/payments/:payment", "/payments/:payment"),
    backAfterSignIn("/agent-payments/:payment", "/agent-payments/:payment"),
    backAfterSignIn("/requests/:request", "/requests/:request"),
  ],
  // server.ts answers the alias itself; this is for `next start` and `next dev`.
  rewrites: async () => [{ source: "/api/partner/v3/:path*", destination: "/v3/:path*" }],
};
