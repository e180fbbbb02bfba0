import Link from "next/link";
import { CodeTabs } from "@/components/data/code-tabs";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideList, GuideSection, GuideTable, guideLink } from "@/components/docs/guide-parts";
import { SCOPE_LABELS } from "@/components/tokens/scope-labels";
import { scopeCoverage } from "@/lib/identity/tokens/require-scope";
import { baseUrl } from "@/lib/platform/env";
import { TOKEN_SCOPES } from "@/lib/platform/token-scope";

export const metadata = { title: "API tokens" };
// The commands contain this instance's URL, which is only known at run time.
export const dynamic = "force-dynamic";

export default function TokensGuide() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="API tokens"
        description="A token authenticates a program as one account. Limit what a token can do, where it can be used from and how long it works."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Creating />
      <Expiry />
      <Scopes />
      <Addresses />
      <Rolling />
      <Events />
    </article>
  );
}

function Creating() {
  const curl = `curl -sS "${baseUrl()}/v3/phone_numbers" \\\n  -H "Authorization: Bearer $TOKEN"`;
  return (
    <GuideSection id="create" title="Create and use a token">
      <p>
        Admins create tokens in the dashboard under{" "}
        <Link href="/tokens" className={guideLink}>
          API tokens
        </Link>
        . An admin can let developers create tokens too, under{" "}
        <Link href="/settings" className={guideLink}>
          Settings
        </Link>
        . Creating, changing and rolling a token asks for your password again after 10 minutes.
      </p>
      <p>
        Trunkline shows a token once and stores only its hash. A token starts with{" "}
        <GuideCode>tl_sandbox_</GuideCode> or <GuideCode>tl_production_</GuideCode>, so secret scanners
        recognize it. Send the token with every request:
      </p>
      <CodeTabs label="list the phone lines of the account" snippets={{ curl }} />
      <p>
        A missing, revoked or expired token fails with{" "}
        <Link href="/docs/error/codes/2xxx/2004" className={guideLink}>
          2004
        </Link>
        . Revoking a token takes effect on its next request and closes its open event streams.
      </p>
    </GuideSection>
  );
}

function Expiry() {
  return (
    <GuideSection id="expiry" title="Expiry">
      <p>
        A token expires after 30, 90 or 365 days, or never. Choose the expiry when you create the token, or
        change it later with <strong className="font-medium">Edit</strong>: the new expiry counts from the
        moment you save it. An expired token can&apos;t be extended or rolled. Create a new one.
      </p>
      <p>
        Trunkline shows a notice in the dashboard 7 days and 1 day before a token expires, and again when it
        has expired.
      </p>
    </GuideSection>
  );
}

function Scopes() {
  return (
    <GuideSection id="scopes" title="Scopes">
      <p>
        A token without scopes has full access. Scopes only restrict: a token with several scopes can do what
        any of them allows. Every other request fails with 403 and{" "}
        <Link href="/docs/error/codes/2xxx/2005" className={guideLink}>
          2005
        </Link>
        .
      </p>
      <GuideTable
        label="Permissions of each scope"
        columns={["API section", ...TOKEN_SCOPES.map((scope) => SCOPE_LABELS[scope])]}
        rows={scopeRows()}
      />
      <p>
        Webhooks and the event stream report events of every type, so changing a subscription requires full
        access. Reads of agent payments return card credentials and wallet links, so they require the payments
        scope.
      </p>
    </GuideSection>
  );
}

const COVERAGE = { all: "All", reads: "Reads", none: "None" };

/** One row for each group of API sections with the same scopes. */
function scopeRows(): string[][] {
  const tagsByCells = new Map<string, string[]>();
  for (const { tag, allows } of scopeCoverage()) {
    const cells = TOKEN_SCOPES.map((scope) => COVERAGE[allows[scope]]).join();
    tagsByCells.set(cells, [...(tagsByCells.get(cells) ?? []), tag]);
  }
  return [...tagsByCells].map(([cells, tags]) => [tags.sort().join(", "), ...cells.split(",")]);
}

function Addresses() {
  return (
    <GuideSection id="addresses" title="Allowed IP addresses">
      <p>
        List up to 50 IPv4 or IPv6 addresses or CIDRs. Requests from any other address fail with 403 and{" "}
        <Link href="/docs/error/codes/2xxx/2005" className={guideLink}>
          2005
        </Link>
        . An empty list allows every address.
      </p>
      <p>
        Behind a reverse proxy, Trunkline sees the client&apos;s address only when the operator has set{" "}
        <GuideCode>TRUST_PROXY</GuideCode>. See{" "}
        <Link href="/docs/guides/hardening#network" className={guideLink}>
          Hardening
        </Link>
        .
      </p>
    </GuideSection>
  );
}

function Rolling() {
  return (
    <GuideSection id="roll" title="Roll a token">
      <p>
        Rolling creates a new token with the same name, scopes, IP addresses and lifetime. The old token stays
        valid for the overlap you choose, and never beyond its own expiry.
      </p>
      <GuideList
        rows={[
          ["1. Roll", "Choose an overlap and copy the new token."],
          ["2. Deploy", "Replace the token in every program during the overlap."],
          ["3. Check", "The old token's Last used time and address show whether a program still uses it."],
        ]}
      />
      <p>Choose no overlap if a token has leaked. The old token is then revoked immediately.</p>
    </GuideSection>
  );
}

const EVENTS = [
  ["api_token.created", "A token was created or rolled."],
  ["api_token.renamed", "A token was renamed."],
  [
    "api_token.expiry_scheduled",
    "The token's expiry was set or changed, also by rolling the token with an overlap.",
  ],
  ["api_token.activated", "A token's expiry was removed."],
  ["api_token.expired", "A token expired."],
  ["api_token.deleted", "A token was revoked."],
] as const;

function Events() {
  return (
    <GuideSection id="events" title="Events">
      <p>
        Subscribe to these{" "}
        <Link href="/docs/guides/webhooks/events" className={guideLink}>
          webhook events
        </Link>{" "}
        to follow the tokens of an account. They carry the token&apos;s ID, name and prefix, never the token.
      </p>
      <GuideList
        rows={EVENTS.map(([type, text]) => [
          type,
          <Link key={type} href={`/docs/guides/webhooks/events/${type}`} className={guideLink}>
            {text}
          </Link>,
        ])}
      />
    </GuideSection>
  );
}
