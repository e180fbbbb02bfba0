import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  CreateDisposableAccount,
  createDisposableAccount,
} from "@/lib/simulator/accounts/create-disposable-account";

export const POST = endpoint(CreateDisposableAccount, createDisposableAccount);
