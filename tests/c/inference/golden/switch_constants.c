const char *colour_name(Colour colour) {
  switch (colour) {
    case COLOUR_RED:
      return "red";
    case COLOUR_GREEN:
      return "green";
    case COLOUR_BLUE:
      return "blue";
    default:
      return colour == COLOUR_NONE ? "" : NULL;
  }
}
