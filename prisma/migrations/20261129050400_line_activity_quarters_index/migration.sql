-- The sweep deletes rows of quarters by age, without reading those of the other length.
CREATE INDEX "line_activity_quarters_idx" ON "line_activity"("at") WHERE (minutes = 15);
