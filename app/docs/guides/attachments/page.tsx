import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideList, GuideSection, guideLink } from "@/components/docs/guide-parts";

export const metadata = { title: "Attachments and retention" };

const errors = (code: number) => (
  <Link href={`/docs/error/codes/${String(code).charAt(0)}xxx/${code}`} className={guideLink}>
    {code}
  </Link>
);

export default function AttachmentsGuide() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Attachments and retention"
        description="Send files by URL or upload, see which formats are converted, and learn how long files and messages are kept."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Sending />
      <FileUrls />
      <Conversions />
      <Tiers />
      <Deleting />
      <Messages />
    </article>
  );
}

function Sending() {
  return (
    <GuideSection id="sending" title="Send a file">
      <GuideList
        rows={[
          [
            "By URL",
            <>
              Send a media part with a public https <GuideCode>url</GuideCode>. The file can be at most 10 MB.
              Trunkline downloads and checks the file before it responds with 202. A failed download returns{" "}
              {errors(5007)}. Redirects are not followed.
            </>,
          ],
          [
            "By upload",
            <>
              Call <GuideCode>POST /v3/attachments</GuideCode> with the name, type and size of the file, at
              most 100 MB. Upload the bytes with PUT to <GuideCode>upload_url</GuideCode> within 15 minutes,
              with exactly the <GuideCode>required_headers</GuideCode>. Then send a message with the{" "}
              <GuideCode>attachment_id</GuideCode>. A message sent before the upload is complete returns{" "}
              {errors(2007)}.
            </>,
          ],
          [
            "Validation",
            <>
              Trunkline checks the content of the file, not its name. An unsupported type returns{" "}
              {errors(5004)}, content that does not match its declared type {errors(5006)}, and a file that is
              too large {errors(5005)}.
            </>,
          ],
        ]}
      />
    </GuideSection>
  );
}

function FileUrls() {
  return (
    <GuideSection id="urls" title="File URLs">
      <p>
        All files are served from one host. The media URL in a message is signed and valid for one hour. Each
        webhook attempt contains a newly signed URL. A persistent file also has a permanent URL, its{" "}
        <GuideCode>download_url</GuideCode>. An ephemeral file has only signed URLs, which are valid for 15
        minutes. <GuideCode>GET /v3/attachments/{"{attachmentId}"}</GuideCode> returns a new one. An expired
        URL returns 403. The URL of a deleted file returns 404.
      </p>
    </GuideSection>
  );
}

function Conversions() {
  return (
    <GuideSection id="conversions" title="Conversions">
      <GuideList
        rows={[
          ["TIFF", "Delivered as JPEG, with the orientation applied."],
          [
            "CAF audio",
            "Delivered as MP4 audio if ffmpeg is installed on the server. Otherwise delivered unchanged.",
          ],
          [
            "audio/mp3, audio/mp4, audio/aiff",
            "Aliases of audio/mpeg, audio/x-m4a and audio/x-aiff. Responses use the current names.",
          ],
          [
            "Other types and inbound files",
            "Not converted. A HEIC photo from an iPhone is delivered as HEIC.",
          ],
        ]}
      />
      <p>
        A corrupt file that can't be converted is delivered unchanged. The message does not fail, and the
        Attachments page of the dashboard shows the reason. Your uploaded file is never modified. If libheif's{" "}
        <GuideCode>heif-convert</GuideCode> is installed on the server, the dashboard shows previews of HEIC
        photos. If ffmpeg is installed, the dashboard shows video previews and plays CAF, AMR and AIFF audio.
      </p>
    </GuideSection>
  );
}

function Tiers() {
  return (
    <GuideSection id="tiers" title="File retention">
      <GuideList
        rows={[
          ["Persistent (default)", "Kept until you delete the file."],
          [
            "Ephemeral",
            "The file and its metadata are deleted after 24 hours, or earlier if the messages that contain the file expire. The message part keeps the name, type and size.",
          ],
          [
            "How the tier is chosen",
            "The line's setting applies, or the account's setting if the line has none. A change affects new files only. Images of contact cards, groups and the checkout are always persistent.",
          ],
          ["Created but not uploaded", "The attachment stays pending. You can delete it."],
        ]}
      />
    </GuideSection>
  );
}

function Deleting() {
  return (
    <GuideSection id="deleting" title="Delete a file">
      <p>
        Delete a file with <GuideCode>DELETE /v3/attachments/{"{attachmentId}"}</GuideCode> or in the
        dashboard. The file is removed immediately and every URL of the file returns 404. Messages that
        contain the file remain. The part keeps <GuideCode>filename</GuideCode>,{" "}
        <GuideCode>mime_type</GuideCode> and <GuideCode>size_bytes</GuideCode>, and its{" "}
        <GuideCode>id</GuideCode> and <GuideCode>url</GuideCode> become null. The audit log records who
        deleted the file, when, and its name (for ephemeral files and with message retention, only the file
        extension). A queued message with the file fails. A deletion can't be undone.
      </p>
    </GuideSection>
  );
}

function Messages() {
  return (
    <GuideSection id="messages" title="Message retention">
      <p>
        Messages are kept indefinitely by default. An admin can set <strong>message retention</strong> in the
        account's settings to a period from 60 minutes to 24 hours. The period starts when a message is
        created, and Trunkline checks for expired messages every five minutes. Trunkline then erases all
        stored content of the message: its text, edits, reactions and votes, events, webhook requests and
        responses, request logs, opt-out text (the keyword is kept) and simulator data.
      </p>
      <p>
        Ids, timestamps, phone numbers and delivery statuses are kept. The message is removed from lists,
        threads, replays and search results, and requests for the message or with its idempotency key return{" "}
        {errors(2002)}. Persistent files are kept until you delete them. Each change of the setting emits{" "}
        <Link href="/docs/guides/webhooks/events/zero_day_retention.updated" className={guideLink}>
          zero_day_retention.updated
        </Link>
        .
      </p>
    </GuideSection>
  );
}
