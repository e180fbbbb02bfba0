-- A message whose writer had not seen what the customer wrote last: a held one, or a scheduled one.
ALTER TABLE "messages" ADD COLUMN "leaves_unread" BOOLEAN;
