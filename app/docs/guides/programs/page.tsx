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
        The base URL is the address of this instance. Every <GuideCode>/v3</GuideCode> path is also served
        under <GuideCode>/api/partner/v3</GuideCode>.
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
          ["LINQ_API_URL", "The address of this instance."],
          ["LINQ_TOKEN, LINQ_FROM_PHONE", "An API token, and one of the account's lines."],
          [
            "LINQ_RELAY_WS_URL",
            <>
              The address with <GuideCode>wss:</GuideCode> (<GuideCode>ws:</GuideCode> for http) and the path{" "}
              <GuideCode>/relay</GuideCode>: <GuideCode>webhooks listen</GuideCode> receives webhooks there
              without a public address.
            </>,
          ],
          ["LINQ_RELAY_URL", "The address of this instance, exactly as its BASE_URL setting."],
          [
            "LINQ_LOGS_URL",
            <>
              The address of this instance: <GuideCode>webhooks logs</GuideCode> lists each delivery with the
              result of its last attempt.
            </>,
          ],
          ["WEBHOOK_BASE_URL", "The address of this instance."],
          ["LINQ_TELEMETRY", "0 turns the program's telemetry off."],
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
              Many published agents read it. Add <GuideCode>?version=2025-01-01</GuideCode> to the target URL,
              or set the account's default payload version. See{" "}
              <Link href="/docs/guides/webhooks" className={guideLink}>
                Webhooks
              </Link>
              .
            </>,
          ],
          [
            "Contact cards",
            "Sharing at the same moment as the first reply answers 204, and the card follows the reply. The line needs a contact card.",
          ],
          ["Groups", "A group that a contact began is a chat like any other. Send to its chat id."],
        ]}
      />
    </GuideSection>
  );
}
