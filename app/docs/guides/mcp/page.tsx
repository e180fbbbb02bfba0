import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideSection, GuideTable } from "@/components/docs/guide-parts";
import { MCP_TOOLS } from "@/lib/runtime/mcp/mcp-tools";

export const metadata = { title: "MCP server" };

export default function McpGuide() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="MCP server"
        description="Programs that speak the Model Context Protocol investigate an account at /mcp and, in a sandbox, rehearse conversations."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <GuideSection id="connect" title="Connect">
        <p>
          Connect over streamable HTTP to <GuideCode>/mcp</GuideCode> of this instance with the header{" "}
          <GuideCode>Authorization: Bearer</GuideCode> and an API token. Revision 2026-07-28 and older
          revisions are supported. There are no sessions: every request is authenticated, rate limited and
          logged like an API request. The log contains the name of the tool, not its arguments and results.
        </p>
      </GuideSection>
      <GuideSection id="tools" title="Tools">
        <p>
          The scopes of the token determine the tools: use a token with the scope{" "}
          <GuideCode>read_only</GuideCode> to investigate. Replaying webhooks requires full access. In
          production accounts no tool sends, pays or deletes.
        </p>
        <GuideTable
          label="Tools"
          columns={["Tool", "Purpose", "Accounts"]}
          rows={MCP_TOOLS.map(({ name, title, sandboxOnly }) => [
            name,
            title,
            sandboxOnly ? "Sandbox" : "All",
          ])}
        />
      </GuideSection>
    </article>
  );
}
