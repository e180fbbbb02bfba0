import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideList, GuideSection, guideLink } from "@/components/docs/guide-parts";

export const metadata = { title: "Run a program written for this API" };

export default function ProgramsGuide() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Run a program written for this API"
        description="Programs written for the original API run without changes to their code. Set their base URL, their token and their signing secret."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Clients />
      <CommandLine />
      <Agents />
    </article>
  );
}

function Clients() {
  return (
    <GuideSection id="clients" title="Clients">
      <p>
        The base URL is the URL of this instance. Every <GuideCode>/v3</GuideCode> path is also served under{" "}
        <GuideCode>/api/partner/v3</GuideCode>.
      </p>
      <GuideList
        rows={[
          [
            "Official TypeScript client",
            <>
              <GuideCode>LINQ_API_V3_BASE_URL</GuideCode>, <GuideCode>LINQ_API_V3_API_KEY</GuideCode> and, to
              verify webhooks, <GuideCode>LINQ_WEBHOOK_SECRET</GuideCode>.
            </>,
          ],
          [
            "eve",
            <>
              <GuideCode>linqChannel</GuideCode> with the options <GuideCode>baseURL</GuideCode>,{" "}
              <GuideCode>credentials.apiKey</GuideCode> and <GuideCode>credentials.signingSecret</GuideCode>.
              Its subscription needs payload version 2026-02-03.
            </>,
          ],
          [
            "Programs that call the API directly",
            <>
              The base URL ends in <GuideCode>/api/partner/v3</GuideCode>. Send the token as{" "}
              <GuideCode>Authorization: Bearer</GuideCode>.
            </>,
          ],
        ]}
      />
    </GuideSection>
  );
}

function CommandLine() {
  return (
    <GuideSection id="command-line" title="Vendor command line">
      <GuideList
        rows={[
          ["LINQ_API_URL", "The URL of this instance."],
          ["LINQ_TOKEN, LINQ_FROM_PHONE", "An API token, and one of the account's lines."],
          [
            "LINQ_RELAY_WS_URL",
            <>
              The URL of this instance with <GuideCode>wss:</GuideCode> (<GuideCode>ws:</GuideCode> for http)
              and the path <GuideCode>/relay</GuideCode>. <GuideCode>webhooks listen</GuideCode> uses it to
              receive webhooks without a public URL.
            </>,
          ],
          ["LINQ_RELAY_URL", "The URL of this instance, identical to its BASE_URL setting."],
          [
            "LINQ_LOGS_URL",
            <>
              The URL of this instance. <GuideCode>webhooks logs</GuideCode> lists each delivery with the
              result of its last attempt.
            </>,
          ],
          ["WEBHOOK_BASE_URL", "The URL of this instance."],
          ["LINQ_TELEMETRY", "Set to 0 to turn off the program's telemetry."],
        ]}
      />
      <p>
        The relay closes a connection with code 4001 when its token is invalid or revoked. While the program
        is disconnected, its webhooks are retried.
      </p>
    </GuideSection>
  );
}

function Agents() {
  return (
    <GuideSection id="agents" title="Agents">
      <GuideList
        rows={[
          [
            "Payload version 2025-01-01",
            <>
              Many published agents expect this version. Add <GuideCode>?version=2025-01-01</GuideCode> to the
              target URL, or set the account's default payload version. See{" "}
              <Link href="/docs/guides/webhooks" className={guideLink}>
                Webhooks
              </Link>
              .
            </>,
          ],
          [
            "Contact cards",
            "If you share the card at the same time as the first reply, the response is 204 and the card is sent after the reply. The line must have a contact card.",
          ],
          [
            "Groups",
            "A group that a contact created works like any other chat. Send messages to its chat ID.",
          ],
        ]}
      />
    </GuideSection>
  );
}
