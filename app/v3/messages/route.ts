import { endpoint } from "@/lib/http/endpoint";
import { withDryRun } from "@/lib/http/with-dry-run";
import { SendFromBestLine, sendFromBestLine } from "@/lib/messages/send-from-best-line";
import { TrySendFromBestLine, trySendFromBestLine } from "@/lib/messages/try-send-from-best-line";

export const POST = withDryRun(
  endpoint(SendFromBestLine, sendFromBestLine),
  endpoint(TrySendFromBestLine, trySendFromBestLine),
);
