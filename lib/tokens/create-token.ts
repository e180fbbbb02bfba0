import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
  body: z.object({
    name: tokenFields.name,
    expires_in_days: tokenFields.expires_in_days.default(null),
    scopes: tokenFields.scopes.default([]),
    allowed_addresses: tokenFields.allowed_addresses.default([]),
  }),
