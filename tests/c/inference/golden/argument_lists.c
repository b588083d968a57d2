void fail(struct parser *parser, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  parser->errors++;
  vsnprintf(parser->message, sizeof parser->message, format, arguments);
  emit(parser, va_arg(arguments, int), va_arg(arguments, node_t *));
  va_end(arguments);
}
