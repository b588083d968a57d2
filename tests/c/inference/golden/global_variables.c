void tick(void) {
  clock_ticks += TICK_STEP;
  if (clock_ticks >= alarm_at && alarm_armed) {
    alarm_armed = false;
    load_average = 0.9 * load_average + 0.1 * clock_ticks;
    strcpy(last_event, "alarm");
    event_log[event_count++] = last_event;
  }
}
