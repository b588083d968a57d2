int dispatch(Handler handler, Event *event, void *context) {
  Handler fallback = default_handlers[event->kind];
  if (handler == NULL) handler = fallback;
  return handler ? handler(event, context) : -1;
}
