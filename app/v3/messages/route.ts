import { endpoint } from "@/lib/http/endpoint";
import { SendFromBestLine, sendFromBestLine } from "@/lib/messages/send-from-best-line";

export const POST = endpoint(SendFromBestLine, sendFromBestLine);
