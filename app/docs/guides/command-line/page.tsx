import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideList, GuideSection, GuideTable } from "@/components/docs/guide-parts";

export const metadata = { title: "Command line" };

export default function CommandLineGuide() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Command line"
        description="trunkline starts an instance, forwards webhooks to your machine, sends and replays, and checks an account from the terminal."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <GuideSection id="token" title="Save a token">
        <p>
          Run <GuideCode>npx trunkline token</GuideCode> in the directory of Trunkline and enter the URL and
          an API token. The token is checked and saved in a file that only you can read.{" "}
          <GuideCode>TRUNKLINE_URL</GuideCode> and <GuideCode>TRUNKLINE_TOKEN</GuideCode>, or{" "}
          <GuideCode>--url</GuideCode> and <GuideCode>--token</GuideCode>, take precedence.{" "}
          <GuideCode>--profile</GuideCode> keeps several accounts apart.
        </p>
      </GuideSection>
      <GuideSection id="commands" title="Commands">
        <GuideList rows={COMMANDS} />
        <p>
          <GuideCode>trunkline help listen</GuideCode> shows the options of a command with examples.
        </p>
      </GuideSection>
      <GuideSection id="listen" title="Receive webhooks on your machine">
        <p>
          <GuideCode>listen</GuideCode> signs with one secret per account, the same in every run, and
          continues after the last event of the previous run. At the start it posts a signed test event and
          one with a wrong signature, and shows whether your server verifies signatures. Each event is one
          line with the status code and the latency.
        </p>
      </GuideSection>
      <GuideSection id="scripts" title="Scripts">
        <p>
          Add <GuideCode>--json</GuideCode> to any command. Streams print one JSON object per line. A failure
          is JSON on standard error with the error code and the trace ID.
        </p>
        <GuideTable label="Exit codes" columns={["Exit code", "Meaning"]} rows={EXIT_CODES} />
      </GuideSection>
    </article>
  );
}

const COMMANDS = [
  ["start, dev", "Start an instance; dev reloads its pages."],
  ["token, whoami", "Save an API token; show its account and scopes."],
  ["listen --forward-to URL", "Post the account's events to your server, signed like webhooks."],
  ["send TEXT --to HANDLE", "Send a message as your account."],
  ["phone HANDLE say TEXT", "Send a message as a simulated phone; inbox lists its messages."],
  ["logs", "Show API requests; logs webhooks shows deliveries."],
  ["events tail", "Print events as they happen."],
  ["events replay --failed --since 2h", "Deliver failed and skipped events to webhooks again."],
  ["trigger EVENT", "Create an event with example data (sandbox)."],
  ["clock advance 16m --run", "Advance the platform clock and run due work (sandbox with CLOCK_CONTROL=1)."],
  ["fault add, list, remove", "Make API calls, the network or webhook deliveries fail (sandbox)."],
  [
    "doctor --webhooks",
    "Check the instance, the token, the clock, the lines, the database and the disk, and send every endpoint a valid and a wrong signature.",
  ],
] as const;

const EXIT_CODES = [
  ["0", "Success."],
  ["1", "The request failed."],
  ["2", "The command or its options are wrong."],
  ["3", "The token is missing, invalid or not allowed to do this."],
  ["4", "The instance does not respond."],
  ["5", "A check of doctor failed."],
];
