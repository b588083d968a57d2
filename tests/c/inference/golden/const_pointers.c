size_t count_words(const wordlist *const list, const char *text) {
  const char *end = text + strlen(text);
  size_t count = 0;
  for (const char *at = text; at < end; at = skip_word(at, end))
    if (bsearch(at, list->words, list->count, sizeof *list->words, list->compare)) count++;
  return count;
}
