import { DIRECTIONS, FAMILIES, TIERS } from "@/components/attachments/describe-file";
import { CopyButton } from "@/components/data/copy/copy-button";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { Fact, FactList } from "@/components/data/fact-list";
import { formatBytes } from "@/components/data/format-bytes";
import { None } from "@/components/data/none";
import { Timestamp } from "@/components/data/time/timestamp";
import { actorName } from "@/components/opt-outs/describe-opt-out";
import type { AttachmentView } from "@/lib/attachments/attachment-view";

/** The properties of a file. */
export function AttachmentDetails({ file }: { file: AttachmentView }) {
  return (
    <FactList className="sm:grid-cols-1">
      <Fact name="Attachment">
        <CopyableId value={file.id} label="attachment id" />
      </Fact>
      <Fact name="Type">
        <span className="wrap-anywhere">{file.content_type}</span>
        <span className="text-muted-foreground text-xs">{FAMILIES[file.family].label}</span>
      </Fact>
      <Fact name="Size">
        {file.size_bytes === null ? (
          <None />
        ) : (
          <span className="tabular-nums">
            {formatBytes(file.size_bytes)}
            {file.size_bytes >= 1024 && (
              <span className="text-muted-foreground text-xs">
                {" "}
                {file.size_bytes.toLocaleString("en-US")} bytes
              </span>
            )}
          </span>
        )}
      </Fact>
      <Fact name="Direction">{file.direction === null ? <None /> : DIRECTIONS[file.direction]}</Fact>
      <Fact name="Line">
        <span className="tabular-nums">{file.line ?? <None />}</span>
      </Fact>
      <Fact name="Kept as">{file.tier === null ? <None /> : TIERS[file.tier]}</Fact>
      <Fact name="Created">
        <Timestamp value={file.created_at} format="moment" />
      </Fact>
      {file.expires_at && (
        <Fact name="Expires">
          <Timestamp value={file.expires_at} format="moment" />
        </Fact>
      )}
      {file.deleted && (
        <Fact name="Deleted">
          <Timestamp value={file.deleted.at} format="moment" />
          <span>by {actorName(file.deleted.by)}</span>
        </Fact>
      )}
      {file.url && (
        <Fact name="URL">
          <CopyButton
            value={file.url}
            label={file.tier === "ephemeral" ? "signed URL, valid for 15 minutes" : "permanent URL"}
            showLabel
            variant="outline"
          />
        </Fact>
      )}
    </FactList>
  );
}
