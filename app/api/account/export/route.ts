import {
  DownloadAccountExport,
  openAccountExport,
  RequestAccountExport,
  requestAccountExport,
} from "@/lib/privacy/export/request-export";
import { archiveEndpoint } from "@/lib/runtime/http/archive-endpoint";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RequestAccountExport, requestAccountExport, authenticateSession);
export const GET = archiveEndpoint(DownloadAccountExport, openAccountExport);
