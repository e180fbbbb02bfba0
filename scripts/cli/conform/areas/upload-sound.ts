import { z } from "zod";
import type { Run } from "@/scripts/cli/conform/run";

const SAMPLES_PER_SECOND = 8000;
const SAMPLES = 4000;
const SILENCE = 128;

/** Half a second of silence as a WAV file: 8 bits, mono. */
function silence(): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0).toString();
  header.writeUInt32LE(36 + SAMPLES, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  header.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(SAMPLES, 40);
  return Buffer.concat([header, Buffer.alloc(SAMPLES, SILENCE)]);
}

const Created = z.object({
  attachment_id: z.uuid(),
  upload_url: z.string(),
  required_headers: z.record(z.string(), z.string()),
});

/** Uploads a short sound and keeps its attachment, for a voice memo. */
export async function uploadSound(run: Run): Promise<void> {
  if (run.world.chatId === undefined) return;
  const bytes = silence();
  const body = { filename: "conform.wav", content_type: "audio/x-wav", size_bytes: bytes.length };
  const { status, json } = await run.call("POST /v3/attachments", { body });
  const subject = {
    area: "operations",
    name: "PUT upload_url",
    section: "10.2",
    expected: "a success for the raw bytes with required_headers",
  } as const;
  if (status !== 200) return void run.add(subject, { skip: `POST /v3/attachments answered ${status}` });
  const { data } = Created.safeParse(json);
  if (data === undefined) {
    const problems = ["POST /v3/attachments returned no attachment_id, upload_url and required_headers"];
    return void run.add(subject, { problems });
  }
  const { attachment_id, upload_url, required_headers } = data;
  if (!run.http.isUploadUrl(upload_url)) {
    const problems = [`upload_url is ${upload_url}, neither https nor on the host of the server`];
    return void run.add(subject, { problems });
  }
  const uploaded = await run.http.upload(upload_url, required_headers, bytes);
  const isUploaded = uploaded >= 200 && uploaded < 300;
  run.add(subject, { problems: isUploaded ? [] : [`status ${uploaded}`] });
  if (isUploaded) run.world.soundId = attachment_id;
}
