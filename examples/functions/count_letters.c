#define LETTERS 26

void count_letters(const char *text, unsigned int counts[LETTERS]) {
  for (; *text; text++) {
    int letter = *text - 'a';
    if (letter >= 0 && letter < LETTERS) {
      counts[letter]++;
    }
  }
}
