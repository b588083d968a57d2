#include <ctype.h>
#include <stdio.h>
#include <string.h>

int log_level = 1;

void log_message(int level, const char *text) {
  if (level < log_level) {
    return;
  }
  if (level >= 3) {
    fprintf(stderr, "error: %s\n", text);
  } else {
    fprintf(stderr, "note: %s\n", text);
  }
}

long copy_stream(FILE *source, FILE *target) {
  long copied = 0;
  int byte;
  while ((byte = getc(source)) != EOF) {
    if (putc(byte, target) == EOF) {
      return -1;
    }
    copied++;
  }
  return copied;
}

int count_lines(FILE *stream) {
  int lines = 0;
  int byte;
  int last = '\n';
  while ((byte = fgetc(stream)) != EOF) {
    if (byte == '\n') {
      lines++;
    }
    last = byte;
  }
  return last == '\n' ? lines : lines + 1;
}

int read_word(FILE *stream, char *word, int size) {
  int byte = fgetc(stream);
  int length = 0;
  while (byte != EOF && isspace(byte)) {
    byte = fgetc(stream);
  }
  while (byte != EOF && !isspace(byte) && length < size - 1) {
    word[length++] = (char)byte;
    byte = fgetc(stream);
  }
  word[length] = '\0';
  return length;
}

void dump_bytes(const unsigned char *bytes, int count) {
  for (int i = 0; i < count; i++) {
    printf("%02x%c", bytes[i], i % 16 == 15 || i == count - 1 ? '\n' : ' ');
  }
}

void print_progress(int done, int total) {
  int width = total > 0 ? done * 40 / total : 0;
  printf("\r[");
  for (int i = 0; i < 40; i++) {
    putchar(i < width ? '#' : '.');
  }
  printf("] %d of %d", done, total);
  fflush(stdout);
}

int sum_file(const char *path, long *sum) {
  FILE *stream = fopen(path, "r");
  long number;
  if (stream == NULL) {
    fprintf(stderr, "cannot open %s\n", path);
    return -1;
  }
  *sum = 0;
  while (fscanf(stream, "%ld", &number) == 1) {
    *sum += number;
  }
  fclose(stream);
  return 0;
}

int ask(const char *question) {
  char answer[16];
  for (int attempt = 0; attempt < 3; attempt++) {
    printf("%s [y/n] ", question);
    if (fgets(answer, sizeof answer, stdin) == NULL) {
      return -1;
    }
    if (answer[0] == 'y' || answer[0] == 'n') {
      return answer[0] == 'y';
    }
    puts("please answer y or n");
  }
  return -1;
}

int find_line(FILE *stream, const char *wanted) {
  char line[256];
  int number = 0;
  while (fgets(line, sizeof line, stream) != NULL) {
    number++;
    if (strstr(line, wanted) != NULL) {
      return number;
    }
  }
  return 0;
}

void print_usage(const char *program, int with_examples) {
  printf("usage: %s [-v] [-o FILE] INPUT\n", program);
  if (with_examples) {
    printf("example: %s -o out.txt in.txt\n", program);
    printf("example: %s -v in.txt\n", program);
  }
}

int save_scores(const char *path, const int *scores, int count) {
  FILE *stream = fopen(path, "w");
  if (!stream) {
    return 0;
  }
  for (int i = 0; i < count; i++) {
    fprintf(stream, "%d\t%d\n", i + 1, scores[i]);
  }
  return fclose(stream) == 0;
}

void clock_text(int seconds, char *text, int size) {
  int hours = seconds / 3600;
  int minutes = seconds / 60 % 60;
  if (hours > 0) {
    snprintf(text, (unsigned long)size, "%d:%02d:%02d", hours, minutes,
             seconds % 60);
  } else {
    snprintf(text, (unsigned long)size, "%d:%02d", minutes, seconds % 60);
  }
}
