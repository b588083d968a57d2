int split(char *line, char ***fields, int *count) {
  char *rest = line, *field;
  *count = 0;
  while ((field = strsep(&rest, separators)) != NULL) {
    *fields = grow(*fields, (*count + 1) * sizeof(char *));
    (*fields)[(*count)++] = field;
  }
  return rest == NULL;
}
