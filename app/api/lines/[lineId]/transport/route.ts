import { ChangeFailover, changeFailover } from "@/lib/lines/transports/change-failover";
import { GetLineTransport, getLineTransport } from "@/lib/lines/transports/get-line-transport";
import { SetLineTransport, setLineTransport } from "@/lib/lines/transports/set-line-transport";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetLineTransport, getLineTransport, authenticateSession);
export const PUT = endpoint(SetLineTransport, setLineTransport, authenticateSession);
export const PATCH = endpoint(ChangeFailover, changeFailover, authenticateSession);
