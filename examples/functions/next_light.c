enum light { LIGHT_RED, LIGHT_GREEN, LIGHT_YELLOW, LIGHT_OFF };

enum light next_light(enum light current) {
  switch (current) {
    case LIGHT_RED:
      return LIGHT_GREEN;
    case LIGHT_GREEN:
      return LIGHT_YELLOW;
    case LIGHT_YELLOW:
      return LIGHT_RED;
    default:
      return LIGHT_OFF;
  }
}
