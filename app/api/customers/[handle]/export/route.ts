import {
  DownloadPersonExport,
  openPersonExport,
  RequestPersonExport,
  requestPersonExport,
} from "@/lib/privacy/export/request-export";
import { archiveEndpoint } from "@/lib/runtime/http/archive-endpoint";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RequestPersonExport, requestPersonExport, authenticateSession);
export const GET = archiveEndpoint(DownloadPersonExport, openPersonExport);
