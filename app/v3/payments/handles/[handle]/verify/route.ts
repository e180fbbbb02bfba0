import { VerifyHandle, verifyHandle } from "@/lib/payments/agent-payments/verify-handle";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(VerifyHandle, verifyHandle);
