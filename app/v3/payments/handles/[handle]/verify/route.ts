import { endpoint } from "@/lib/http/endpoint";
import { VerifyHandle, verifyHandle } from "@/lib/payments/agent-payments/verify-handle";

export const POST = endpoint(VerifyHandle, verifyHandle);
