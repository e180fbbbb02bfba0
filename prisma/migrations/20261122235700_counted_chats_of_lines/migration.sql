-- The chats by health as the reputation last counted them: pages don't count the chats of lines with very many.
ALTER TABLE "lines" ADD COLUMN "chat_counts" JSON;
