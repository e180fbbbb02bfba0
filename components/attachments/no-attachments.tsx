import { Paperclip, SearchX } from "lucide-react";
import Link from "next/link";
import { CodeTabs } from "@/components/data/code-tabs";
import { EmptyState } from "@/components/data/empty-state";
import { uploadSnippets } from "@/components/snippets/upload-snippets";

type NoAttachmentsProps = { filtered: boolean; baseUrl: string };

/** Why there is no file in the list, and how one comes into it. */
export function NoAttachments({ filtered, baseUrl }: NoAttachmentsProps) {
  if (filtered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No such file"
        description="Nothing fits these filters. Clear one of them to see more; ephemeral files go after a day."
      />
    );
  }
  return (
    <div className="flex flex-col items-center">
      <EmptyState
        icon={Paperclip}
        title="No file yet"
        description={
          <>
            What people send you appears here, and what you upload to send. How long files are kept:{" "}
            <Link href="/docs/guides/attachments" className="underline underline-offset-4">
              attachments and retention
            </Link>
            .
          </>
        }
      />
      <div className="w-full max-w-2xl px-4 pb-8 text-left">
        <CodeTabs label="upload a file" snippets={uploadSnippets({ baseUrl })} />
      </div>
    </div>
  );
}
