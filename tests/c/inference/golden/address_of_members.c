int session_start(Session *session) {
  if (pthread_mutex_init(&session->lock, NULL) != 0) return -1;
  gettimeofday(&session->started, NULL);
  list_init(&session->peers);
  parse_options(session->options, &session->count, &session->name);
  return sscanf(session->name, "%d.%d", &session->major_version, &session->minor_version);
}
