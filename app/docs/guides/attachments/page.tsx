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
        description="How files get in and out, what is converted, how long files and messages are kept, and what is gone afterwards."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Sending />
      <Addresses />
      <Conversions />
      <Tiers />
      <Deleting />
      <Messages />
    </article>
  );
}

function Sending() {
  return (
    <GuideSection id="sending" title="Sending a file">
      <GuideList
        rows={[
          [
            "By url",
            <>
              A media part with a public https <GuideCode>url</GuideCode>, at most 10 MB. It is fetched and
              checked before the 202; what cannot be fetched is {errors(5007)}. Redirects are not followed.
            </>,
          ],
          [
            "As an upload",
            <>
              <GuideCode>POST /v3/attachments</GuideCode> with name, type and size, at most 100 MB. Put the
              bytes to <GuideCode>upload_url</GuideCode> within 15 minutes, with exactly the{" "}
              <GuideCode>required_headers</GuideCode>; then send its <GuideCode>attachment_id</GuideCode>.
              Before the bytes are there a send is {errors(2007)}.
            </>,
          ],
          [
            "What is checked",
            <>
              The bytes, not the name. A type outside the list is {errors(5004)}, bytes that are something
              else {errors(5006)}, too many {errors(5005)}.
            </>,
          ],
        ]}
      />
    </GuideSection>
  );
}

function Addresses() {
  return (
    <GuideSection id="addresses" title="Addresses">
      <p>
        All files are served from one host. A message's media url is signed for an hour; webhooks carry one
        that is made at each attempt. A persistent file also has a permanent address, its{" "}
        <GuideCode>download_url</GuideCode>. An ephemeral file has only signed ones, good for 15 minutes:{" "}
        <GuideCode>GET /v3/attachments/{"{attachmentId}"}</GuideCode> gives a fresh one. An address that has
        expired answers 403, one whose file is gone 404.
      </p>
    </GuideSection>
  );
}

function Conversions() {
  return (
    <GuideSection id="conversions" title="What is converted">
      <GuideList
        rows={[
          ["TIFF", "Arrives as JPEG, upright."],
          ["CAF audio", "Arrives as MP4 audio, where ffmpeg is installed on the server; else as it is."],
          [
            "audio/mp3, audio/mp4, audio/aiff",
            "Old names of audio/mpeg, audio/x-m4a, audio/x-aiff: accepted, answered by the new one.",
          ],
          [
            "All else, and what people send you",
            "Stays as it is. An iPhone's HEIC photo reaches you as HEIC.",
          ],
        ]}
      />
      <p>
        A file that cannot be converted, because it is broken, is delivered as it is: the message does not
        fail, and the dashboard's Attachments page says why. The file you uploaded is never changed. The
        dashboard shows previews of HEIC photos where libheif's <GuideCode>heif-convert</GuideCode> is
        installed on the server; where ffmpeg is, it shows films and plays CAF, AMR and AIFF recordings.
      </p>
    </GuideSection>
  );
}

function Tiers() {
  return (
    <GuideSection id="tiers" title="How long files are kept">
      <GuideList
        rows={[
          ["Persistent (as an account begins)", "Until you delete it."],
          [
            "Ephemeral",
            "24 hours after it came, its bytes and all that is known of it are removed; sooner when the messages that show it expire. Its part in a message keeps name, type and size.",
          ],
          [
            "Which of them",
            "The account's option, unless a line has its own. It counts when a file comes; what is stored keeps its tier. Pictures of contact cards, groups and the checkout are always persistent.",
          ],
          ["Announced, never uploaded", "Stays pending, without bytes. Delete it, or leave it."],
        ]}
      />
    </GuideSection>
  );
}

function Deleting() {
  return (
    <GuideSection id="deleting" title="Deleting a file">
      <p>
        <GuideCode>DELETE /v3/attachments/{"{attachmentId}"}</GuideCode>, or in the dashboard. The bytes go at
        once and every address answers 404. Messages that show it stay: the part keeps{" "}
        <GuideCode>filename</GuideCode>, <GuideCode>mime_type</GuideCode> and{" "}
        <GuideCode>size_bytes</GuideCode>, its <GuideCode>id</GuideCode> and <GuideCode>url</GuideCode> become
        null. Who deleted it, when and what it was called stays on record (of ephemeral files, and with
        message retention, only the ending of its name). A message that still waits to be sent with it fails.
        It cannot be undone.
      </p>
    </GuideSection>
  );
}

function Messages() {
  return (
    <GuideSection id="messages" title="How long messages are kept">
      <p>
        As long as you do, unless an admin sets <strong>message retention</strong> in the account's settings:
        60 minutes to 24 hours, counted from when a message was made and looked after every five minutes. Then
        its content is erased wherever the service has it: the message and its edits, reactions and votes,
        events, what was posted to your webhooks and what you answered, the request log, the words of an
        opt-out (its keyword stays), the simulator.
      </p>
      <p>
        Ids, times, numbers and delivery states stay. The message answers {errors(2002)} and leaves lists,
        threads, replays and searches; so does a repeat of its idempotency key. Persistent files stay until
        you delete them. Each change of the setting is told as{" "}
        <Link href="/docs/guides/webhooks/events/zero_day_retention.updated" className={guideLink}>
          zero_day_retention.updated
        </Link>
        .
      </p>
    </GuideSection>
  );
}
