import { VerifyHandle, verifyHandle } from "@/lib/agent-payments/verify-handle";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(VerifyHandle, verifyHandle);
