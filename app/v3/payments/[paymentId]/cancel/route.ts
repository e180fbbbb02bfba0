import { CancelPayment, cancelPayment } from "@/lib/payments/agent-payments/cancel-payment";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(CancelPayment, cancelPayment);
