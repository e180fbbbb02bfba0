import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideList, GuideSection, guideLink } from "@/components/docs/guide-parts";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";

export const metadata = { title: "Hardening" };

export default function HardeningGuide() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Hardening"
        description="Set these up before you expose an instance to other people. The file docs/hardening.md in the repository has the full list."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Alert variant="warning">
        <TriangleAlert aria-hidden="true" />
        <AlertTitle>Never serve an instance over http:// on a public address</AlertTitle>
        <AlertDescription className="text-foreground">
          <p>
            Over plain HTTP, anyone on the network path can read API tokens, session cookies, messages and
            payment links, and can change them on the way. One recorded request is enough to act as your
            account. This applies to trials too.
          </p>
          <p>
            Put a reverse proxy with TLS in front of Trunkline and set <GuideCode>BASE_URL</GuideCode> to the
            https:// URL. Use plain HTTP only on your own machine.
          </p>
        </AlertDescription>
      </Alert>
      <Network />
      <Data />
      <Access />
      <Watching />
    </article>
  );
}

function Network() {
  return (
    <GuideSection id="network" title="Network">
      <GuideList
        rows={[
          [
            "TLS",
            <>
              With an https:// URL in <GuideCode>BASE_URL</GuideCode> or <GuideCode>DASHBOARD_URL</GuideCode>,
              every response carries <GuideCode>Strict-Transport-Security</GuideCode> for a year. Redirect
              HTTP to HTTPS at the proxy.
            </>,
          ],
          [
            "TRUST_PROXY",
            "The number of proxies in front of Trunkline, or their addresses. Without it, sign-in throttling and IP allowlists see the proxy's address for every client. Leave it unset when clients can connect to the port directly.",
          ],
          [
            "HOST",
            "Keep localhost when the proxy runs on the same machine. Otherwise allow only the proxy to connect to the port.",
          ],
          [
            "CDN_URL, CHECKOUT_URL",
            "Separate host names for files and payment pages that point to the same instance. Customers' HTML and SVG files are displayed only on a separate CDN host. On every other host they are downloads.",
          ],
        ]}
      />
    </GuideSection>
  );
}

function Data() {
  return (
    <GuideSection id="data" title="Data and keys">
      <GuideList
        rows={[
          [
            "ENCRYPTION_KEY",
            <>
              Set the key from a secret store, and back it up separately from the database. Rotate it with{" "}
              <GuideCode>npm run admin -- reseal</GuideCode>.
            </>,
          ],
          [
            "DATABASE_URL",
            <>
              Use your own PostgreSQL in production, with <GuideCode>sslmode=verify-full</GuideCode> and a
              role that owns only this database.
            </>,
          ],
          [
            "DATA_DIR",
            "Keep this directory on a separate disk, readable only by the user that runs Trunkline. Don't run Trunkline as root.",
          ],
          ["Backups", "Back up the database, the files and the key. Restore a backup once to test it."],
        ]}
      />
    </GuideSection>
  );
}

function Access() {
  return (
    <GuideSection id="access" title="People and tokens">
      <GuideList
        rows={[
          [
            "Roles",
            "Give each person the least privileged role that is sufficient, and limit the number of admins and operators. Use single sign-on if available.",
          ],
          [
            "API tokens",
            <>
              Give each token an expiry, only the required scopes and an IP allowlist. See{" "}
              <Link href="/docs/guides/tokens" className={guideLink}>
                API tokens
              </Link>
              .
            </>,
          ],
          [
            "Webhook secrets",
            <>
              Verify every signature, and rotate secrets with an overlap. See{" "}
              <Link href="/docs/guides/webhooks#verify" className={guideLink}>
                Webhooks
              </Link>
              .
            </>,
          ],
          [
            "Test settings",
            <>
              Keep <GuideCode>CLOCK_CONTROL</GuideCode> and <GuideCode>SEED_DEMO</GuideCode> off, and{" "}
              <GuideCode>WEBHOOK_ALLOW_PRIVATE</GuideCode> and <GuideCode>MEDIA_ALLOW_PRIVATE</GuideCode>{" "}
              empty unless a receiver has a private address.
            </>,
          ],
        ]}
      />
    </GuideSection>
  );
}

function Watching() {
  return (
    <GuideSection id="watching" title="Monitoring">
      <p>
        Alert when <GuideCode>GET /ready</GuideCode> returns 503, when disk space runs low, and on the
        dashboard&apos;s notices. Run <GuideCode>npm audit</GuideCode> after each update.
      </p>
    </GuideSection>
  );
}
