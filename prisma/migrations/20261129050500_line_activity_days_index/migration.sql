-- The sweep deletes rows of days by age, without reading those of the other length.
CREATE INDEX "line_activity_days_idx" ON "line_activity"("at") WHERE (minutes = 1440);
